/** The search index keeps users apart, so the time of a search reveals nothing about other users' names. */
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnection } from '../../src/db/sqlite.ts'
import { openStatements } from '../../src/db/sqlite-statements.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
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
