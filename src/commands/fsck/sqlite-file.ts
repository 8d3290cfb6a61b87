/** Checks SQLite's file by SQLite's own look at it: whether each table can be read, and each index holds its rows. */
import { StatementError } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { hasKnownMigrations } from '../../db/migrate.ts'
import { migrationsTable } from '../../db/migrations-table.ts'
import { reportDamage } from './damage.ts'
import { type Check, damageProblem, indexProblem } from './finding.ts'
import { makeIndex } from './indexes.ts'
import { changeOnce, changeSchema } from './schema-changes.ts'

/** `row 5 missing from index files_name`, `wrong # of entries in index files_name`. */
const aboutIndex = /\bindex (\w+)$/
/** `Tree 14 page 23 cell 4: …`, by the page at which a table or an index begins. */
const aboutTree = /\bTree (\d+) /

interface IndexRow {
  name: string
  table: string
  /** Null for one that a UNIQUE or PRIMARY KEY has made. */
  sql: string | null
}

const indexQuery = `SELECT name, tbl_name AS "table", sql FROM sqlite_schema WHERE type = 'index'`

/** The index that an answer is about; undefined where it is about the table, or about the file. */
async function findIndex({ deps: { db } }: Check, answer: string): Promise<IndexRow | undefined> {
  const name = aboutIndex.exec(answer)?.[1]
  if (name !== undefined) return db.row<IndexRow>(`${indexQuery} AND name = $1`, [name])
  const root = aboutTree.exec(answer)?.[1]
  return root === undefined ? undefined : db.row<IndexRow>(`${indexQuery} AND rootpage = $1`, [Number(root)])
}

/** Rows are found by an index: until it is whole nothing else is repaired. */
async function reportIndex(check: Check, index: IndexRow, answer: string): Promise<void> {
  const { db } = check.deps
  const { name, table, sql } = index
  // With an index of other names than these no server would start.
  if (table === migrationsTable && !(await hasKnownMigrations(db))) {
    const finding = { verdict: 'lost', problem: damageProblem, name: `table ${table}`, detail: answer } as const
    return check.report(finding)
  }
  const detail = `it does not hold the rows of table ${table} (${answer})`
  await check.report({ verdict: 'repairable', problem: indexProblem, name: `index ${name}`, detail }, async () => {
    if (sql === null) await changeOnce(db, `REINDEX ${name}`)
    else await changeSchema(db, () => makeIndex(check, { name, table, definition: sql }))
    return true
  })
}

/** Answers of SQLite to its own check of one table, all of which are of one moment; none where all is well. */
export async function askSqlite(db: Database, table: string): Promise<string[]> {
  const rows = await db.rows<{ integrity_check: string }>(`PRAGMA integrity_check('${table}')`)
  return rows.map(row => row.integrity_check.replaceAll('\n', ' ')).filter(answer => answer !== 'ok')
}

/** Damaged indexes by their name, each with the first answer that is about it. */
type DamagedIndexes = Map<string, [IndexRow, string]>

async function checkTable(check: Check, table: string, indexes: DamagedIndexes): Promise<void> {
  for (const answer of await askSqlite(check.deps.db, table)) {
    const index = await findIndex(check, answer)
    if (index !== undefined) indexes.set(index.name, indexes.get(index.name) ?? [index, answer])
    else await check.report({ verdict: 'lost', problem: damageProblem, name: `table ${table}`, detail: answer })
  }
}

/** Whether SQLite finds anything wrong with what it keeps of the search index. */
export async function isSearchDamaged(check: Check): Promise<boolean> {
  const tables = await check.deps.db.rows<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'file\\_search%' ESCAPE '\\' ORDER BY name`,
  )
  if (tables.length === 0) return true
  for (const { name } of tables) {
    // What is damaged so that it cannot even be opened is an error instead of an answer.
    const answers = await askSqlite(check.deps.db, name).catch(error => {
      if (error instanceof StatementError) return [error.message]
      throw error
    })
    if (answers.length > 0) return true
  }
  return false
}

/**
 * Table by table, for each is one read, behind which SQLite's WAL cannot be emptied. Those of the search index are
 * looked at by themselves: all that is in them can be made anew.
 */
export async function checkSqliteFile(check: Check): Promise<void> {
  const { db } = check.deps
  const tables = await db.rows<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'file\\_search%' ESCAPE '\\' ORDER BY name`,
  )
  const indexes: DamagedIndexes = new Map()
  for (const name of ['sqlite_schema', ...tables.map(table => table.name)]) {
    check.signal.throwIfAborted()
    await reportDamage(check, `table ${name}`, () => checkTable(check, name, indexes))
  }
  // Once all tables are known to be whole, for in a damaged file what is written may land on another table's page.
  for (const [index, answer] of indexes.values()) await reportIndex(check, index, answer)
}
