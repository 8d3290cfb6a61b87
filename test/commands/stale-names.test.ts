/** Items that have left a folder, while an index of SQLite's still has them there, as after a lost write. */
import { beforeEach, expect, test } from 'vitest'
import { copyFile, listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { unseen } from './fsck-unseen.ts'

const secret = 'nobody else may read this'
let server: TestServer
let ann: BuiltUser
let bob: BuiltUser
/** Ann's folder, which bob may change, and a file that she has moved out of it. */
let folder: { id: number }
let moved: { id: number }

beforeEach(async context => {
  onlyOn('sqlite', context)
  server = await startServer()
  ann = await buildUser(server)
  bob = await buildUser(server)
  folder = await buildFolder(ann, 'shared')
  moved = await buildFile(ann, { name: 'secret.txt', parent_id: folder.id }, secret)
  await buildShare(ann, folder, bob, 'edit')
  return () => server.close()
})

/** Moves the file to the top of ann's storage; the indexes of some names do not learn of it. */
const moveUnseen = (indexes: string) =>
  spoilRows(server, ...unseen('files', `UPDATE files SET parent_id = NULL WHERE id = ${moved.id}`, indexes))

test('an archive of the folder breaks off before such a file', async () => {
  await moveUnseen('files_name')
  const answer = await bob.raw(`/api/files/${folder.id}/archive`)
  const sent = await answer.text().catch(() => 'broken off')
  expect(sent).not.toContain(secret)
})

test.each([0, 1, 5, 30])('a copy of the folder with such a file, beside %i others, fails', async others => {
  for (let n = 0; n < others; n += 1) await buildFile(ann, { name: `${n}.txt`, parent_id: folder.id })
  await moveUnseen('files_parent')
  await expect(bob.call(copyFile, { id: folder.id, parent_id: null })).rejects.toMatchObject({ status: 500 })
  expect((await bob.call(listFiles, {})).files).toEqual([])
})

test('an upload to the folder does not replace such a file', async () => {
  await moveUnseen('files_name')
  await buildFile(bob, { name: 'secret.txt', parent_id: folder.id, on_conflict: 'replace' }, 'other').catch(() => null)
  expect(await (await ann.raw(`/api/files/${moved.id}/download`)).text()).toBe(secret)
})
