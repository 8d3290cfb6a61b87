/** A disk that loses a write leaves a table and its indexes of different moments: no repair makes that pass as whole. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'
import { unseen } from './fsck-unseen.ts'

let server: TestServer
let user: BuiltUser

beforeEach(async () => {
  server = await startServer()
  user = await buildUser(server)
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await buildFile(user, { name })
})
afterEach(() => server.close())

test('rows that all indexes name and the table has no more are lost, and nothing is repaired over them', async context => {
  onlyOn('sqlite', context)
  await spoilRows(server, ...unseen('files', "DELETE FROM files WHERE name IN ('a.txt', 'b.txt')"))
  for (const options of [[], ['--repair']]) {
    const { code, findings } = await runFsck(server, ...options)
    expect(code).toBe(11)
    expect(findings).toContainEqual(
      expect.objectContaining({
        verdict: 'lost',
        name: 'table files',
        detail: expect.stringMatching(/^rows that its indexes name are gone: 2\. /),
      }),
    )
    expect(findings.filter(({ repaired }) => repaired)).toEqual([])
  }
})

test('rows that no index names, as if deleted ones were back, are told, and nothing is repaired over them', async context => {
  onlyOn('sqlite', context)
  await spoilRows(
    server,
    ...unseen(
      'files',
      `INSERT INTO files (space_id, owner_id, parent_id, name, name_folded, sort_key, is_directory, size, is_favorite, validation_status, created_at, updated_at)
       SELECT space_id, owner_id, parent_id, 'back.txt', 'back.txt', 'back.txt', 1, 0, 0, 'approved', created_at, updated_at
       FROM files WHERE name = 'a.txt'`,
    ),
  )
  const { code, findings } = await runFsck(server, '--repair')
  expect(code).toBe(11)
  expect(findings).toContainEqual(
    expect.objectContaining({ verdict: 'lost', name: 'table files', detail: expect.stringContaining('as if deleted') }),
  )
  expect(findings.filter(({ repaired }) => repaired)).toEqual([])
})

test('an index of some rows that holds one too many is built anew', async context => {
  onlyOn('sqlite', context)
  await spoilRows(server, "UPDATE files SET validation_status = 'pending' WHERE name = 'a.txt'")
  await spoilRows(server, ...unseen('files', "UPDATE files SET validation_status = 'approved'", 'files_held%'))
  const { code, findings } = await runFsck(server)
  expect(code).toBe(10)
  expect(findings.map(({ name }) => name)).toContain('index files_held_in')
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
})
