/** How the database of a server would run a query. */
import type { Bind } from '../../src/db/connections.ts'
import { openDatabase } from '../../src/db/database.ts'
import type { TestServer } from './test-server.ts'

/** The rows of EXPLAIN, read on connections of its own: on SQLite it would leave a server's connection in a read. */
export async function explain(server: TestServer, sql: string, bind: readonly Bind[] = []): Promise<object[]> {
  const db = await openDatabase(server.deps.config.database)
  try {
    return await db.rows(`${db.dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${sql}`, bind)
  } finally {
    await db.close()
  }
}
