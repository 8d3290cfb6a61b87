/** Measures how much the largest single write of a server changes. */
import type { Bind } from '../../src/db/connections.ts'
import type { Database } from '../../src/db/database.ts'

/**
 * Runs `work`, and returns by how much a single write of the database has changed a number at most: that of the only
 * column `count` of a SELECT. Deletions by foreign keys count, which no statement tells. The server must run in the
 * test's process.
 */
export async function measureLargestWrite(
  db: Database,
  { sql, bind = [] }: { sql: string; bind?: readonly Bind[] },
  work: () => Promise<unknown>,
): Promise<number> {
  let largest = 0
  const read = async () => (await db.row<{ count: number }>(sql, bind))?.count ?? 0
  const measured = async <T>(run: () => Promise<T>): Promise<T> => {
    const before = await read()
    const result = await run()
    largest = Math.max(largest, Math.abs((await read()) - before))
    return result
  }
  const { write, touch } = db
  const measuring: Pick<Database, 'write' | 'touch'> = {
    write: (actor, run) => write(actor, record => measured(() => run(record))),
    touch: run => touch(() => measured(run)),
  }
  Object.assign(db, measuring)
  try {
    await work()
  } finally {
    Object.assign(db, { write, touch })
  }
  return largest
}
