/** The search index keeps users apart, so the time of a search reveals nothing about other users' names. */
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { InputOf } from '../../src/api/endpoint.ts'
import { searchFiles } from '../../src/api/search.ts'
import { openConnection } from '../../src/db/sqlite.ts'
import { openStatements } from '../../src/db/sqlite-statements.ts'
import { plantTree } from '../bench/plant.ts'
import type { TestClient } from '../support/client.ts'
import { buildFile, buildFolder, buildKey, buildShare, buildUser } from '../support/factories.ts'
import { onlyOn, onlyOneServer } from '../support/only-on.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** The number of files and spaces for each word of SQLite's search index. */
async function readWords() {
  const { database } = server.deps.config
  const connection = await openConnection(database.dialect === 'sqlite' ? database.file : '')
  const statements = openStatements(connection)
  try {
    await statements.change('CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, file_search, instance)', [])
    return (await statements.select(
      `SELECT term, COUNT(*) AS files, COUNT(DISTINCT f.space_id) AS spaces
       FROM temp.words JOIN files f ON f.id = doc GROUP BY term`,
      [],
    )) as { term: string; files: number; spaces: number }[]
  } finally {
    await statements.close()
    await promisify(connection.close.bind(connection))()
  }
}

test('no word of the search index belongs to two users, even for equal file names', async context => {
  onlyOn('sqlite', context)
  for (const user of [await buildUser(server), await buildUser(server)]) {
    await buildFolder(user, 'merger with acme')
    await buildFile(user, { name: 'merger-with-acme.pdf' })
    await buildFile(user, { name: '合同 2026.pdf' })
  }
  const words = await readWords()
  expect(words.filter(({ files }) => files === 2).length).toBeGreaterThan(10)
  expect(words.filter(({ spaces }) => spaces > 1)).toEqual([])
})

test('only who sees all of a space searches a large folder of it by the index of the space', async context => {
  onlyOneServer('process', context)
  const [owner, member] = [await buildUser(server), await buildUser(server)]
  const tree = { id: await plant(server, owner, (db, place) => plantTree(db, place, 'large', 20_000)) }
  await buildFile(owner, { name: 'dismissal.txt' })
  await buildShare(owner, tree, member, 'edit')
  const key = await buildKey(server, owner, ['files:search'], 'script', { scope_id: tree.id })
  const spy = vi.spyOn(server.deps.db, 'page')
  const searchWith = async (client: TestClient, input: InputOf<typeof searchFiles>) => {
    spy.mockClear()
    expect((await client.call(searchFiles, input)).files).toEqual([])
    const sql = spy.mock.calls.map(([, statement]) => statement)
    return sql.filter(statement => /\b(file_search|files_names|files_search)\b/.test(statement)).length
  }
  try {
    // The member's own space and team folders are searched by their indexes, without 'in'.
    expect(await searchWith(member, { q: 'dismissal', in: tree.id })).toBe(0)
    expect(await searchWith(key, { q: 'dismissal' })).toBe(0)
    expect(await searchWith(owner, { q: 'dismissal', in: tree.id })).toBe(1)
  } finally {
    spy.mockRestore()
  }
})
