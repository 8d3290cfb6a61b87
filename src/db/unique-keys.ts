/** Finds what a lost unique index has let in: rows with the key of another row. */
import type { Database } from './database.ts'
import type { TableForm } from './table-forms.ts'
import type { Row } from './tables.ts'

/** The columns of each unique index, joined by commas, and of the primary key. */
const queries = {
  sqlite: `SELECT (SELECT group_concat(k.name) FROM pragma_index_info(i.name) k) AS columns
      FROM pragma_index_list($1) i WHERE i."unique" AND NOT i.partial
    UNION ALL SELECT group_concat(c.name) FROM pragma_table_info($1) c WHERE c.pk > 0`,
  mariadb: `SELECT GROUP_CONCAT(column_name) AS columns FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = $1 AND non_unique = 0 GROUP BY index_name`,
}

/** All columns of a table, generated ones too. */
const columnQueries = {
  sqlite: 'SELECT name FROM pragma_table_xinfo($1)',
  mariadb: `SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = $1`,
}

const inOrder = (columns: readonly string[]): string => [...columns].sort().join()

/**
 * The keys of a table, as the migrations make them, that no index of this database keeps unique. Without those of a
 * missing column or table, which is told by itself.
 */
async function findLostKeys(db: Database, { name, key, unique }: TableForm): Promise<string[][]> {
  const rows = await db.rows<{ columns: string | null }>(queries[db.dialect], [name])
  const there = new Set(rows.map(({ columns }) => inOrder((columns ?? '').split(','))))
  const known = await db.rows<{ name: string }>(columnQueries[db.dialect], [name])
  const isKnown = (column: string) => known.some(one => one.name === column)
  const keys = [key, ...unique].filter(columns => columns.length > 0 && [...key, ...columns].every(isKnown))
  return keys.filter(columns => !there.has(inOrder(columns)))
}

interface DuplicateKey {
  /** The columns that are to be unique together. */
  columns: string[]
  /** The primary key of the last row with the same values, and those values. */
  row: Row
}

/** Keys looked at in each table; if there are more, the first show what is wrong. */
const mostTold = 100

/**
 * The keys of a table that several rows have. Only keys without their index are looked at, for a damaged index is found
 * by the database's own check. The database sorts the rows, so the memory is constant.
 */
export async function findDuplicateKeys(db: Database, form: TableForm): Promise<DuplicateKey[]> {
  const found: DuplicateKey[] = []
  for (const columns of await findLostKeys(db, form)) {
    const quoted = columns.map(column => `\`${column}\``)
    const others = form.key
      .filter(column => !columns.includes(column))
      .map(column => `MAX(\`${column}\`) AS \`${column}\``)
    const rows = await db.rows<Row>(
      `SELECT ${[...quoted, ...others].join(', ')} FROM \`${form.name}\`
       WHERE ${quoted.map(column => `${column} IS NOT NULL`).join(' AND ')}
       GROUP BY ${quoted.join(', ')} HAVING COUNT(*) > 1 ORDER BY ${quoted.join(', ')} LIMIT ${mostTold}`,
    )
    found.push(...rows.map(row => ({ columns, row })))
  }
  return found
}

/** The keys that lost their index, one sentence each. */
export const tellLostKeys = async (db: Database, form: TableForm): Promise<string[]> =>
  (await findLostKeys(db, form)).map(
    columns => `table ${form.name}: no index keeps its ${columns.join(' and ')} unique`,
  )
