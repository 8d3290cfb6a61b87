/** Checks SQLite's file with its integrity check: whether each table is readable, and each index complete. */
import { StatementError } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { isDamage } from '../../db/failures.ts'
import { systemActor } from '../../db/write-actor.ts'
import { reportDamage } from './damage.ts'
import { type Check, damageProblem, indexProblem } from './finding.ts'
import { findIndexedTable, type Index, readValues } from './index-entries.ts'
import { makeIndex } from './indexes.ts'
import { findMiscounted } from './partial-indexes.ts'
import { changeOnce, changeSchema, withDamagedEntries } from './schema-changes.ts'
import { takeSafeSides } from './take-sides.ts'
import { type Disagreement, findDisagreement, reportLost, reportUnclear } from './unclear-rows.ts'

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

/** The indexes of a table that are damaged, by name, each with the first answer about it. */
type DamagedIndexes = Map<string, [IndexRow, string]>

/** A table whose rows and indexes differ. */
interface Damaged {
  indexes: DamagedIndexes
  found: Disagreement
}

/**
 * Takes the safe side about each unclear row and builds the damaged indexes of a table anew, in one write: the evidence
 * goes with the old index, and a UNIQUE one cannot be built while two rows have the same values.
 */
async function settle(check: Check, table: string, indexes: DamagedIndexes): Promise<boolean> {
  const { db } = check.deps
  const all = [...indexes.values()].map(([index]) => index)
  await changeSchema(db, async () => {
    const found = await findDisagreement(db, table)
    for (const { name, sql } of all) if (sql !== null) await changeOnce(db, `DROP INDEX ${name}`)
    await withDamagedEntries(db, () =>
      db.write(systemActor, async record => {
        record.nothing()
        await takeSafeSides(db, found, record)
      }),
    )
    for (const { name, sql } of all) {
      if (sql === null) await changeOnce(db, `REINDEX ${name}`)
      else await makeIndex(check, { name, table, definition: sql })
    }
  })
  return true
}

/**
 * Reports a table's unclear rows and damaged indexes, and mends all of them with the first. Nothing else is repaired until
 * then, because rows are found through the indexes.
 */
async function reportDamaged(check: Check, table: string, { indexes, found }: Damaged): Promise<void> {
  let settled: Promise<boolean> | undefined
  const repair = () => {
    settled ??= settle(check, table, indexes)
    return settled
  }
  await reportUnclear(check, found, repair)
  for (const [{ name }, answer] of indexes.values()) {
    const detail = `it does not hold the rows of table ${table} (${answer})`
    await check.report({ verdict: 'repairable', problem: indexProblem, name: `index ${name}`, detail }, repair)
  }
}

/** An answer about what a row says: the rules of its table name the row, and it can be repaired. */
const aboutRow = /^CHECK constraint failed in /

async function readAnswers(db: Database, table: string): Promise<string[]> {
  const rows = await db.rows<{ integrity_check: string }>(`PRAGMA integrity_check('${table}')`)
  return rows.map(row => row.integrity_check.replaceAll('\n', ' ')).filter(answer => answer !== 'ok')
}

/** The answers of SQLite's integrity check of one table at one moment; none when it is intact. */
export const askSqlite = async (db: Database, table: string): Promise<string[]> =>
  (await readAnswers(db, table)).filter(answer => !aboutRow.test(answer))

/** What brings back rows that only an index keeps from being found. */
const wayOut = "'filestore backup', and 'filestore restore' of it, bring them into a new database"

/** SQLite's check ends at so many answers, and there may be others. */
const mostAnswers = 100

/** Finds out about one table, and reports what no repair may touch. Returns what differs; null if nothing does. */
async function checkTable(check: Check, table: string): Promise<Damaged | null> {
  const { db } = check.deps
  const indexes: DamagedIndexes = new Map()
  const note = (index: IndexRow, answer: string) => indexes.set(index.name, indexes.get(index.name) ?? [index, answer])
  const answers = await readAnswers(db, table)
  for (const answer of answers.filter(other => !aboutRow.test(other))) {
    const index = await findIndex(check, answer)
    if (index !== undefined) note(index, answer)
    else await check.report({ verdict: 'lost', problem: damageProblem, name: `table ${table}`, detail: answer })
  }
  for (const name of await db.snapshot(() => findMiscounted(db, table))) {
    const index = await db.row<IndexRow>(`${indexQuery} AND name = $1`, [name])
    if (index !== undefined) note(index, 'another number of rows')
  }
  const isCut = answers.length >= mostAnswers
  if (indexes.size === 0 && !isCut) return null
  const found = await db.snapshot(() => findDisagreement(db, table))
  if (indexes.size === 0 && found.rows.length === 0) return null
  if (isCut) {
    const all = await db.rows<IndexRow>(`${indexQuery} AND tbl_name = $1 ORDER BY name`, [table])
    for (const index of all) note(index, 'or others of the table do not')
  }
  await reportLost(check, found)
  return { indexes, found }
}

/** The indexes of a table that cannot be read; none when the table itself cannot. */
async function findUnreadableIndexes({ deps: { db } }: Check, name: string): Promise<string[]> {
  const table = await findIndexedTable(db, name)
  const isUnreadable = async (index?: Index): Promise<boolean> => {
    try {
      await readValues(db, table, index)
      return false
    } catch (error) {
      return isDamage(error)
    }
  }
  if (await isUnreadable()) return []
  const unreadable: string[] = []
  for (const index of table.indexes) if (await isUnreadable(index)) unreadable.push(index.name)
  return unreadable
}

/** Checks a table. Where SQLite cannot check it because an index is destroyed, that index is reported, not the table. */
async function checkTableOrIndexes(check: Check, table: string): Promise<Damaged | null> {
  try {
    return await checkTable(check, table)
  } catch (error) {
    const unreadable = isDamage(error) ? await findUnreadableIndexes(check, table) : []
    if (unreadable.length === 0) throw error
    for (const index of unreadable) {
      const detail = `it cannot be read, and the rows of table ${table} can: ${wayOut}`
      await check.report({ verdict: 'lost', problem: damageProblem, name: `index ${index}`, detail })
    }
    return null
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
  const damaged = new Map<string, Damaged>()
  for (const name of ['sqlite_schema', ...tables.map(table => table.name)]) {
    check.signal.throwIfAborted()
    await reportDamage(check, `table ${name}`, async () => {
      const found = await checkTableOrIndexes(check, name)
      if (found !== null) damaged.set(name, found)
    })
  }
  // Only once all tables are known to be intact: in a damaged file, a write may hit another table's page.
  for (const [name, found] of damaged) await reportDamaged(check, name, found)
}
