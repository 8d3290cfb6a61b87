/** Finds text of an SQLite database that is not UTF-8. MariaDB accepts none. */
import type { Database } from './database.ts'
import type { Row, Table } from './tables.ts'

/** The driver puts it in place of whatever is not UTF-8. It may also be in the text itself. */
const replacement = '\uFFFD'

/** The bytes of a text as SQLite's HEX writes them. */
export const hexOf = (text: unknown): string => Buffer.from(String(text)).toString('hex').toUpperCase()

/** The columns of a row whose text the database holds otherwise than it was read. */
export async function findBrokenTexts(db: Database, { name, key, columns }: Table, row: Row): Promise<string[]> {
  if (db.dialect !== 'sqlite') return []
  const suspects = columns
    .map(column => column.name)
    .filter(column => {
      const value = row[column]
      return typeof value === 'string' && value.includes(replacement)
    })
  if (suspects.length === 0) return []
  const select = suspects.map(column => `HEX(\`${column}\`) AS \`${column}\``).join(', ')
  const where = key.map((column, at) => `\`${column}\` = $${at + 1}`).join(' AND ')
  const bind = key.map(column => row[column] ?? null)
  // With broken text in its key, the row is not found.
  const found = await db.row<Record<string, string>>(`SELECT ${select} FROM \`${name}\` WHERE ${where}`, bind)
  return suspects.filter(column => found?.[column] !== hexOf(row[column]))
}
