/** `filestore fsck` with very many tags on files of other users. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import { type BuiltUser, buildTag, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

test('fsck reports each of many foreign tags once, and --repair removes them', { timeout: 120_000 }, async () => {
  const [mine, theirs] = [await buildTag(user), await buildTag(await buildUser(server))]
  await plant(server, user, async (db, owner) => {
    await plantEntries(db, owner, await plantFolder(db, owner, null, 'Tagged'), 1500)
  })
  for (const { id } of [mine, theirs]) {
    await spoilRows(server, `INSERT INTO file_tags (tag_id, file_id) SELECT ${id}, id FROM files`)
  }
  const { findings } = await runFsck(server)
  const told = findings.map(({ problem, file_id }) => `${problem} ${file_id}`)
  const files = await server.deps.db.rows<{ id: number }>('SELECT id FROM files ORDER BY id')
  expect(told).toEqual(files.map(({ id }) => `foreign-tag ${id}`))
  await runFsck(server, '--repair')
  expect((await runFsck(server)).findings).toEqual([])
  const left = await server.deps.db.rows('SELECT tag_id, COUNT(*) AS files FROM file_tags GROUP BY tag_id')
  expect(left).toEqual([{ tag_id: mine.id, files: files.length }])
})
