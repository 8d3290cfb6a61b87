/** On MariaDB, folders are copied while others store the same content: nobody waits for the other in a circle. */
import { expect, test } from 'vitest'
import { copyFile, createFolder } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'

const content = 'a template that everybody has'

test('uploads, copies and new folders of others are stored while folders of equal files are copied', async context => {
  onlyOn('mariadb', context)
  const server = await startServer()
  context.onTestFinished(() => server.close())
  const copier = await buildUser(server)
  const folder = await buildFolder(copier, 'templates')
  await Promise.all(
    Array.from({ length: 300 }, (_, n) => buildFile(copier, { name: `${n}.txt`, parent_id: folder.id }, content)),
  )
  const others = await Promise.all(Array.from({ length: 4 }, () => buildUser(server)))
  let isOver = false
  const work = async (user: BuiltUser) => {
    for (let n = 0; !isOver; n += 1) {
      const { id } = await buildFile(user, { name: `${n}.txt` }, content)
      await user.call(copyFile, { id, parent_id: null, name: `copy ${n}.txt` })
      await user.call(createFolder, { name: `folder ${n}` })
    }
  }
  const copies = Array.from({ length: 16 }, (_, n) =>
    copier.call(copyFile, { id: folder.id, parent_id: null, name: `copy ${n}` }),
  )
  const copying = Promise.allSettled(copies).finally(() => {
    isOver = true
  })
  await expect(Promise.all([...copies, ...others.map(work)])).resolves.toBeDefined()
  await copying
})
