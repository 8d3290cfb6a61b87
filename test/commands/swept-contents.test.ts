/** The daily sweep, and what is deleted for good, where an index of SQLite disagrees with its rows. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { graceTime, sweep } from '../../src/blobs/sweep.ts'
import { openSweepRows } from '../../src/files/sweep-rows.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { unseen } from './fsck-unseen.ts'

let server: TestServer
let ann: BuiltUser
/** The key of a file's content. */
const keyOf = async (id: number) =>
  (
    await server.deps.db.row<{ key: string }>(
      'SELECT b.key FROM files f JOIN blobs b ON b.id = f.blob_id WHERE f.id = $1',
      [id],
    )
  )?.key

beforeEach(async context => {
  onlyOn('sqlite', context)
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  return () => server.close()
})

/** Runs a statement on the contents, of which their unique indexes do not learn. */
const unseenByKeys = (statement: string): string[] => [
  'PRAGMA writable_schema = ON',
  "CREATE TEMP TABLE hidden AS SELECT * FROM sqlite_schema WHERE tbl_name = 'blobs'",
  "DELETE FROM sqlite_schema WHERE tbl_name = 'blobs' AND type <> 'table'",
  "UPDATE sqlite_schema SET sql = REPLACE(sql, ' UNIQUE', '') WHERE name = 'blobs'",
  'PRAGMA writable_schema = RESET',
  statement,
  'PRAGMA writable_schema = ON',
  "DELETE FROM sqlite_schema WHERE tbl_name = 'blobs'",
  'INSERT INTO sqlite_schema SELECT * FROM hidden',
  'PRAGMA writable_schema = RESET',
]

test('bytes whose key the index of keys does not have stay where they are', async () => {
  const content = randomBytes(100_000)
  const { id } = await buildFile(ann, {}, content)
  const { deps } = server
  const key = (await keyOf(id)) ?? expect.fail()
  const other = newBlobKey()
  // The index has the key with which the content came, and the row another one, as after one changed bit.
  await deps.store.append(other, 0, Readable.from([content]), { state: null, onDurable: async () => undefined })
  await deps.store.seal(other, { length: content.length, state: null })
  await deps.store.remove(key)
  await spoilRows(server, ...unseenByKeys(`UPDATE blobs SET key = '${other}' WHERE key = '${key}'`))
  expect(await deps.db.row('SELECT id FROM blobs WHERE `key` = $1', [other])).toBeUndefined()
  const swept = await sweep(deps.store, openSweepRows(deps), Date.now() + 2 * graceTime)
  expect(swept).toMatchObject({ quarantined: 0 })
  expect(await (await ann.raw(`/api/files/${id}/download`)).arrayBuffer()).toHaveProperty('byteLength', content.length)
})

test('a file that only an index counts to a trashed folder is not deleted with it', async () => {
  const folder = await buildFolder(ann, 'trashed')
  const file = await buildFile(ann, { name: 'kept.txt', parent_id: folder.id })
  await ann.call(trashFile, { id: folder.id })
  await spoilRows(
    server,
    ...unseen(
      'files',
      `UPDATE files SET trash_root_id = NULL, parent_id = NULL WHERE id = ${file.id}`,
      'files_trash_root%',
    ),
  )
  await ann.call(deleteFile, { id: folder.id })
  expect(await server.deps.db.row('SELECT id FROM files NOT INDEXED WHERE id = $1', [file.id])).toMatchObject({
    id: file.id,
  })
})
