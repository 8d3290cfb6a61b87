/** The size of a folder with more folders in it than a function takes arguments. */
import { expect, test } from 'vitest'
import { getFolderSize } from '../../src/api/files.ts'
import { maxMeasuredItems } from '../../src/api/limits.ts'
import { plantFolder } from '../bench/plant.ts'
import { buildFolder, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'

const count = 150_000

test('a folder of 150,000 folders is counted, and one of more than are counted says so', async () => {
  const server = await startServer()
  try {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'wide')
    const fill = (from: number, to: number) =>
      plant(server, user, async (db, owner) => {
        for (let n = from; n < to; n++) await plantFolder(db, owner, folder.id, `folder ${n}`)
      })
    const read = () => user.call(getFolderSize, { id: folder.id })
    await fill(0, count)
    expect(await read()).toEqual({ files: 0, folders: count, bytes: 0, is_exact: true })
    await fill(count, maxMeasuredItems + 10)
    expect(await read()).toMatchObject({ folders: maxMeasuredItems + 1, is_exact: false })
  } finally {
    await server.close()
  }
})
