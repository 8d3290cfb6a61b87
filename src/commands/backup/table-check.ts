/** Compares tables and columns with those that the migrations make. */
import { differByOne } from '../../base/differ-by-one.ts'
import { migrationsTable, type StoredNames, tellDamagedNames } from '../../db/migrations-table.ts'
import type { TableForm, TableForms } from '../../db/table-forms.ts'
import type { Table } from '../../db/tables.ts'
import type { Manifest } from './manifest.ts'
import { isSaved, type SavedRow } from './rows.ts'

/** What is wrong with the list of tables. */
function tellTables(forms: TableForms, names: readonly string[]): string[] {
  // Nobody knows the tables of a newer filestore.
  if (forms.size === 0) return []
  const missing = [...forms.keys()].filter(name => isSaved(name) && !names.includes(name))
  const strange = names.filter(name => !forms.has(name))
  return [
    ...missing.map(name => `table ${name}: it is missing`),
    ...strange.map(name => `table ${name}: it is not of filestore, and not in the backup`),
  ]
}

const nameOf = ({ name }: { name: string }): string => name
const without = (names: readonly string[], others: readonly string[]) => names.filter(name => !others.includes(name))

/** What is wrong with the names of a table's columns. */
function tellColumns({ name: table, columns }: TableForm, names: readonly string[]): string[] {
  const wanted = columns.map(nameOf)
  return [
    ...without(wanted, names).map(name => `table ${table}: its column ${name} is missing`),
    ...without(names, wanted).map(name => `table ${table}: its column ${name} is not of filestore`),
  ]
}

/** The columns of saved rows: all rows of a part have the same. */
export const tellColumnsOf = (form: TableForm, [row]: readonly SavedRow[]): string[] =>
  row === undefined ? [] : tellColumns(form, Object.keys(row))

/** What is wrong with a database's tables and columns. */
export function tellSchema(forms: TableForms, tables: readonly Table[]): string[] {
  const ofColumns = tables.flatMap(({ name, columns }) => {
    const form = forms.get(name)
    if (form === undefined) return []
    // The columns' types decide whether they are saved as bytes or as text.
    const types = new Map(form.columns.map(column => [column.name, column.type === 'bytes']))
    const changed = columns.filter(column => types.has(column.name) && types.get(column.name) !== column.isBytes)
    const ofTypes = changed.map(column => `table ${name}: its column ${column.name} has another type`)
    return [...tellColumns(form, columns.map(nameOf)), ...ofTypes]
  })
  return [...tellTables(forms, tables.map(nameOf)), ...ofColumns]
}

/** What is wrong with the names of the migrations. */
export function tellGap(stored: StoredNames): string[] {
  const damage = tellDamagedNames(stored)
  return damage === undefined ? [] : [`table ${migrationsTable}: ${damage}`]
}

/** The tables that a snapshot has. */
export const tellTablesOf = (forms: TableForms, { tables }: Manifest): string[] => tellTables(forms, tables.map(nameOf))

interface FittedRows {
  rows: SavedRow[]
  problems: string[]
}

/**
 * The rows with the columns that their table has. A flipped bit in a database's schema changes one character of a name,
 * so such a column is taken for the missing one; any other is left out.
 */
export function fitColumns(form: TableForm, rows: readonly SavedRow[]): FittedRows {
  const [names, wanted] = [Object.keys(rows[0] ?? {}), form.columns.map(nameOf)]
  const missing = without(wanted, names)
  const strange = without(names, wanted).map(name => ({ name, as: missing.find(other => differByOne(name, other)) }))
  if (strange.length === 0) return { rows: [...rows], problems: tellColumnsOf(form, rows) }
  const told = strange.map(({ name, as }) => {
    const what = as === undefined ? 'left out' : `read as ${as}`
    return `table ${form.name}: its column ${name} is ${what}`
  })
  const fitted = rows.map(row => {
    const entries = Object.entries(row).filter(([name]) => wanted.includes(name))
    const renamed = strange.flatMap(({ name, as }) => (as === undefined ? [] : [[as, row[name] ?? null] as const]))
    return Object.fromEntries([...entries, ...renamed])
  })
  return { rows: fitted, problems: [...tellColumnsOf(form, rows), ...told] }
}
