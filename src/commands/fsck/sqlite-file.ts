/** Checks SQLite's file with its integrity check: whether each table is readable, and each index complete. */
import { StatementError } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { isDamage } from '../../db/failures.ts'
import { reportDamage } from './damage.ts'
import { type Check, damageProblem, indexProblem } from './finding.ts'
import { makeIndex } from './indexes.ts'
import { compareWithIndexes, findMiscounted } from './other-moment.ts'
import { changeOnce, changeSchema } from './schema-changes.ts'

/** `row 5 missing from index files_name`, `wrong # of entries in index files_name`. */
const aboutIndex = /\bindex (\w+)$/
/** Matches `Tree 14 page 23 cell 4: …`, which names the root page of a table or an index. */
const aboutTree = /\bTree (\d+) /

interface IndexRow {
  name: string
  table: string
  /** Null for an index that a UNIQUE or PRIMARY KEY has created. */
  sql: string | null
}

const indexQuery = `SELECT name, tbl_name AS "table", sql FROM sqlite_schema WHERE type = 'index'`

/** The index that an answer is about; undefined when it is about a table or the file. */
async function findIndex({ deps: { db } }: Check, answer: string): Promise<IndexRow | undefined> {
  const name = aboutIndex.exec(answer)?.[1]
  if (name !== undefined) return db.row<IndexRow>(`${indexQuery} AND name = $1`, [name])
  const root = aboutTree.exec(answer)?.[1]
  return root === undefined ? undefined : db.row<IndexRow>(`${indexQuery} AND rootpage = $1`, [Number(root)])
}

/** Reports and rebuilds a damaged index. Nothing else is repaired until then, because rows are found through it. */
async function reportIndex(check: Check, index: IndexRow, answer: string): Promise<void> {
  const { db } = check.deps
  const { name, table, sql } = index
  const detail = `it does not hold the rows of table ${table} (${answer})`
  await check.report({ verdict: 'repairable', problem: indexProblem, name: `index ${name}`, detail }, async () => {
    if (sql === null) await changeOnce(db, `REINDEX ${name}`)
    else await changeSchema(db, () => makeIndex(check, { name, table, definition: sql }))
    return true
  })
}

/** An answer about what a row says: the rules of its table name the row, and it can be repaired. */
const aboutRow = /^CHECK constraint failed in /

/** The answers of SQLite's integrity check of one table at one moment; none when it is intact. */
export async function askSqlite(db: Database, table: string): Promise<string[]> {
  const rows = await db.rows<{ integrity_check: string }>(`PRAGMA integrity_check('${table}')`)
  return rows
    .map(row => row.integrity_check.replaceAll('\n', ' '))
    .filter(answer => answer !== 'ok' && !aboutRow.test(answer))
}

/** What brings back rows that only an index keeps from being found. */
const wayOut = "'filestore backup', and 'filestore restore' of it, bring them into a new database"

/** What an administrator can do about rows of another moment. */
const restoreWay =
  "an older backup may have what is gone; 'filestore backup', and 'filestore restore' of it, take the rest as it is"

/** Damaged indexes by name, each with the first answer about it. */
type DamagedIndexes = Map<string, [IndexRow, string]>

/** Reports what all indexes say against their table: building them anew would make it the truth. */
async function reportOtherMoment(check: Check, table: string): Promise<void> {
  const { lost, revived } = await compareWithIndexes(check.deps.db, table)
  const words: string[] = []
  if (lost > 0) words.push(`rows that its indexes name are gone: ${lost}`)
  if (revived > 0) words.push(`rows are there that none of its indexes names, as if deleted ones were back: ${revived}`)
  if (words.length === 0) return
  const detail = `${words.join('; ')}. A part of it is of another moment: ${restoreWay}`
  await check.report({ verdict: 'lost', problem: damageProblem, name: `table ${table}`, detail })
}

async function checkTable(check: Check, table: string, indexes: DamagedIndexes): Promise<void> {
  const { db } = check.deps
  const note = (index: IndexRow, answer: string) => indexes.set(index.name, indexes.get(index.name) ?? [index, answer])
  const before = indexes.size
  for (const answer of await askSqlite(db, table)) {
    const index = await findIndex(check, answer)
    if (index !== undefined) note(index, answer)
    else await check.report({ verdict: 'lost', problem: damageProblem, name: `table ${table}`, detail: answer })
  }
  if (indexes.size > before) await reportOtherMoment(check, table)
  for (const name of await findMiscounted(db, table)) {
    const index = await db.row<IndexRow>(`${indexQuery} AND name = $1`, [name])
    if (index !== undefined) note(index, 'another number of rows')
  }
}

/** The indexes of a table that cannot be read; none when the table itself cannot. */
async function findUnreadableIndexes({ deps: { db } }: Check, table: string): Promise<string[]> {
  const isUnreadable = async (how: string): Promise<boolean> => {
    try {
      await db.row(`SELECT COUNT(*) AS count FROM \`${table}\` ${how}`)
      return false
    } catch (error) {
      return isDamage(error)
    }
  }
  if (await isUnreadable('NOT INDEXED')) return []
  const indexes = await db.rows<IndexRow>(`${indexQuery} AND tbl_name = $1 ORDER BY name`, [table])
  const unreadable: string[] = []
  for (const { name, sql } of indexes) {
    // SQLite uses an index of some rows only for these.
    const [rows = ''] = /\bWHERE\b.*$/is.exec(sql ?? '') ?? []
    if (await isUnreadable(`INDEXED BY \`${name}\` ${rows}`)) unreadable.push(name)
  }
  return unreadable
}

/** Checks a table. Where SQLite cannot check it because an index is destroyed, that index is reported, not the table. */
async function checkTableOrIndexes(check: Check, table: string, indexes: DamagedIndexes): Promise<void> {
  try {
    await checkTable(check, table, indexes)
  } catch (error) {
    const unreadable = isDamage(error) ? await findUnreadableIndexes(check, table) : []
    if (unreadable.length === 0) throw error
    for (const index of unreadable) {
      const detail = `it cannot be read, and the rows of table ${table} can: ${wayOut}`
      await check.report({ verdict: 'lost', problem: damageProblem, name: `index ${index}`, detail })
    }
  }
}

/** Whether SQLite finds a problem in the tables of the search index. */
export async function isSearchDamaged(check: Check): Promise<boolean> {
  const tables = await check.deps.db.rows<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'file\\_search%' ESCAPE '\\' ORDER BY name`,
  )
  if (tables.length === 0) return true
  for (const { name } of tables) {
    // Damage that prevents opening the table throws instead of returning an answer.
    const answers = await askSqlite(check.deps.db, name).catch(error => {
      if (error instanceof StatementError) return [error.message]
      throw error
    })
    if (answers.length > 0) return true
  }
  return false
}

/**
 * Checks table by table, because SQLite cannot checkpoint its WAL during a read. The search index has a check of its
 * own, because it can be rebuilt.
 */
export async function checkSqliteFile(check: Check): Promise<void> {
  const { db } = check.deps
  const tables = await db.rows<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'file\\_search%' ESCAPE '\\' ORDER BY name`,
  )
  const indexes: DamagedIndexes = new Map()
  for (const name of ['sqlite_schema', ...tables.map(table => table.name)]) {
    check.signal.throwIfAborted()
    await reportDamage(check, `table ${name}`, () => checkTableOrIndexes(check, name, indexes))
  }
  // Only once all tables are known to be intact: in a damaged file, a write may hit another table's page.
  for (const [index, answer] of indexes.values()) await reportIndex(check, index, answer)
}
