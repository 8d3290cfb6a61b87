/** The prepared statements of one SQLite connection: preparing a statement takes longer than most take to run. */
import type sqlite3 from 'sqlite3'
import type { Bind, Change } from './connections.ts'

/** Statements kept per connection; nearly all that filestore uses fit. */
const keptCount = 200
/** Longer statements are not kept: they hold lists of values, which hardly ever have the same length twice. */
const keptLength = 2_000

export interface SqliteStatements {
  select(sql: string, bind: readonly Bind[]): Promise<object[]>
  change(sql: string, bind: readonly Bind[]): Promise<Change>
  /** Call it before the connection closes, which open statements would prevent. */
  close(): Promise<void>
}

/** Binds values by number, whatever their order in the text: `?1` is SQLite's syntax for `$1`. */
const numbered = (sql: string): string => sql.replace(/\$(\d+)/g, '?$1')

export function openStatements(database: sqlite3.Database): SqliteStatements {
  /** By text, the least recently used first. */
  const kept = new Map<string, sqlite3.Statement>()

  function keep(sql: string, statement: sqlite3.Statement): void {
    kept.set(sql, statement)
    const [oldest] = kept
    if (kept.size <= keptCount || oldest === undefined) return
    kept.delete(oldest[0])
    // The driver finalizes it only after the statement's running queries.
    oldest[1].finalize()
  }

  function prepare(sql: string): Promise<sqlite3.Statement> {
    return new Promise((resolve, reject) => {
      const statement: sqlite3.Statement = database.prepare(numbered(sql), error =>
        error ? reject(error) : resolve(statement),
      )
    })
  }

  async function run<T>(sql: string, use: (statement: sqlite3.Statement) => Promise<T>): Promise<T> {
    const known = kept.get(sql)
    if (known !== undefined) kept.delete(sql)
    const statement = known ?? (await prepare(sql))
    // Another call may have prepared the same text meanwhile.
    if (sql.length <= keptLength && !kept.has(sql)) {
      keep(sql, statement)
      return use(statement)
    }
    try {
      return await use(statement)
    } finally {
      statement.finalize()
    }
  }

  return {
    select: (sql, bind) =>
      run(
        sql,
        statement =>
          new Promise((resolve, reject) => {
            statement.all<object>(bind, (error, rows) => (error ? reject(error) : resolve(rows)))
          }),
      ),
    change: (sql, bind) =>
      run(
        sql,
        statement =>
          new Promise((resolve, reject) => {
            statement.run(bind, function (error) {
              if (error) reject(error)
              else resolve({ count: this.changes, lastId: this.lastID })
            })
          }),
      ),
    close: async () => {
      for (const statement of kept.values()) {
        await new Promise<void>(resolve => {
          statement.finalize(() => resolve())
        })
      }
    },
  }
}
