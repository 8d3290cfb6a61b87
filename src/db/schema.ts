/** Reads the parts of a database's schema: as they are, and as the migrations make them. */
import { promisify } from 'node:util'
import type sqlite3 from 'sqlite3'
import { migrations } from '../../migrations/index.ts'
import type { Database } from './database.ts'
import { migrationsTable } from './migrations-table.ts'
import { connect, execute } from './sqlite.ts'

export interface SchemaPart {
  kind: 'table' | 'column' | 'index' | 'reference' | 'trigger' | 'view' | 'event'
  /** Unique within its table. */
  name: string
  table: string
  /** SQL that makes the part, or a piece of such SQL. Its wording depends on how the part was made. */
  definition: string
}

/** SQLite keeps the text as it was written, and leaves white space where a column was added or dropped. */
const tighten = ({ definition }: SchemaPart): string => definition.replace(/\s*([(),;])\s*/g, '$1')

/** Whether two parts are equal apart from white space. */
export const isSamePart = (one: SchemaPart, other: SchemaPart): boolean => tighten(one) === tighten(other)

const squeeze = (sql: string): string => sql.replace(/\s+/g, ' ').trim()

interface SqliteRow {
  kind: 'table' | 'index' | 'trigger' | 'view'
  name: string
  table: string
  sql: string
}

/** Indexes that a UNIQUE or PRIMARY KEY creates have no SQL of their own; the table's SQL covers them. */
const sqliteQuery = `SELECT type AS kind, name, tbl_name AS "table", sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name <> '${migrationsTable}'
  ORDER BY type = 'table' DESC, type = 'index' DESC, rowid`

const sqliteParts = (rows: readonly SqliteRow[]): SchemaPart[] =>
  rows.map(({ sql, ...part }) => ({ ...part, definition: squeeze(sql) }))

/** Databases in memory by the migrations that made them. To make one takes longer than all that is read from it. */
const migrated = new Map<string, Promise<sqlite3.Database>>()

async function makeMigrated(made: typeof migrations): Promise<sqlite3.Database> {
  const connection = await connect(':memory:')
  await execute(connection, made.flatMap(({ up }) => up.sqlite).join(';\n'))
  return connection
}

/** Runs a query on a database in memory, made by all migrations or by the named ones. */
export async function readMigrated<Row extends object>(query: string, names?: readonly string[]): Promise<Row[]> {
  const made = migrations.filter(({ name }) => names?.includes(name) ?? true)
  const key = made.map(({ name }) => name).join()
  const making = migrated.get(key) ?? makeMigrated(made)
  migrated.set(key, making)
  making.catch(() => migrated.delete(key))
  const connection = await making
  return promisify<string, Row[]>(connection.all.bind(connection))(query)
}

/** Returns the configuration rows that a new search index contains. */
export const readNewSearchConfig = (): Promise<{ k: string; v: string | number }[]> =>
  readMigrated('SELECT k, v FROM file_search_config')

/** How SHOW CREATE TABLE begins the lines of indexes and foreign keys. */
const indexLine = /^(?:UNIQUE |PRIMARY )?KEY/
const referenceLine = /^CONSTRAINT `[^`]*` (FOREIGN KEY .*)$/

/** MariaDB prints each part of a table on its own line, in the form that ALTER TABLE … ADD takes. */
function partOfLine(table: string, line: string): SchemaPart {
  const reference = referenceLine.exec(line)?.[1]
  // MariaDB chose the name of the constraint, so its definition identifies it.
  if (reference !== undefined) return { kind: 'reference', name: reference, table, definition: reference }
  const name = (/`((?:[^`]|``)*)`/.exec(line)?.[1] ?? '').replaceAll('``', '`')
  if (!indexLine.test(line)) return { kind: 'column', name, table, definition: line }
  return { kind: 'index', name: line.startsWith('PRIMARY') ? 'PRIMARY' : name, table, definition: line }
}

/** Keeps storage engine and collation; the migrations set nothing else of a table's options. */
function tableDefinition(footer: string): string {
  const found = ['ENGINE', 'COLLATE'].map(name => new RegExp(`\\b${name}=\\w+`).exec(footer)?.[0] ?? `${name}=`)
  return found.join(' ')
}

function partsOfTable(table: string, text: string): SchemaPart[] {
  const lines = text.replaceAll('"', '`').split('\n')
  const own: SchemaPart = { kind: 'table', name: table, table, definition: tableDefinition(lines.at(-1) ?? '') }
  return [own, ...lines.slice(1, -1).map(line => partOfLine(table, line.trim().replace(/,$/, '')))]
}

interface TriggerRow {
  name: string
  table: string
  moment: string
  statement: string
}

const tablesQuery = `SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' ORDER BY table_name`
const triggersQuery = `SELECT trigger_name AS name, event_object_table AS \`table\`,
    CONCAT(action_timing, ' ', event_manipulation) AS moment, action_statement AS statement
  FROM information_schema.triggers WHERE trigger_schema = DATABASE() ORDER BY trigger_name`

/** What the migrations never make: scheduled events, which change rows by themselves, and views. */
const othersQuery = `SELECT 'event' AS kind, event_name AS name, '' AS \`table\`, event_definition AS definition
    FROM information_schema.events WHERE event_schema = DATABASE()
  UNION ALL SELECT 'view', table_name, table_name, view_definition
    FROM information_schema.views WHERE table_schema = DATABASE() ORDER BY name`

async function findMariadbParts(db: Database): Promise<SchemaPart[]> {
  const parts: SchemaPart[] = []
  for (const { name } of await db.rows<{ name: string }>(tablesQuery)) {
    if (name === migrationsTable) continue
    const row = await db.row<{ 'Create Table': string }>(`SHOW CREATE TABLE \`${name}\``)
    parts.push(...partsOfTable(name, row?.['Create Table'] ?? ''))
  }
  for (const { name, table, moment, statement } of await db.rows<TriggerRow>(triggersQuery)) {
    const definition = squeeze(`TRIGGER ${name} ${moment} ON ${table} FOR EACH ROW ${statement}`)
    parts.push({ kind: 'trigger', name, table, definition })
  }
  return [...parts, ...(await db.rows<SchemaPart>(othersQuery))]
}

/** Returns all parts except the migrations' own table: tables first, then what depends on them. */
export const findSchema = async (db: Database): Promise<SchemaPart[]> =>
  db.dialect === 'sqlite' ? sqliteParts(await db.rows<SqliteRow>(sqliteQuery)) : findMariadbParts(db)

/**
 * Returns the parts that all migrations make. MariaDB has no database in memory, and its user usually may not create
 * another. So its parts are stored in mariadb-schema.json, and a test on MariaDB compares them with the migrations.
 */
export async function findExpectedSchema({ dialect }: Pick<Database, 'dialect'>): Promise<SchemaPart[]> {
  if (dialect === 'sqlite') return sqliteParts(await readMigrated<SqliteRow>(sqliteQuery))
  const { default: parts } = await import('./mariadb-schema.json')
  return parts as SchemaPart[]
}
