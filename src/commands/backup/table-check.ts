/** Compares tables and columns with those that the migrations make. */
import { differByOne } from '../../base/differ-by-one.ts'
import { migrationsTable, type StoredNames, tellDamagedNames } from '../../db/migrations-table.ts'
import type { TableForm, TableForms } from '../../db/table-forms.ts'
import type { Table } from '../../db/tables.ts'
import type { SavedRow } from './decode-rows.ts'
import type { Manifest } from './manifest.ts'
import { titleOf } from './row-check.ts'
import { isSaved } from './rows.ts'

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

/** A column that its table does not have, and the missing one for which it is taken. */
interface StrangeColumn {
  name: string
  as: string | undefined
}

/** How the columns of a database or a saved row differ from those of the table. */
interface Difference {
  missing: string[]
  strange: StrangeColumn[]
}

/** A flipped bit in a database's schema changes one character of a name, so such a name is taken for the missing one. */
function compareColumns({ columns }: TableForm, names: readonly string[]): Difference {
  const wanted = columns.map(nameOf)
  const missing = without(wanted, names)
  const strange = without(names, wanted).map(name => ({ name, as: missing.find(other => differByOne(name, other)) }))
  return { missing, strange }
}

type Tell = (title: string, difference: Difference) => string[]

const tellDifference: Tell = (title, { missing, strange }) => [
  ...missing.map(name => `${title}: its column ${name} is missing`),
  ...strange.map(({ name }) => `${title}: its column ${name} is not of filestore`),
]

/** Also tells what became of the columns. */
const tellFitted: Tell = (title, difference) => [
  ...tellDifference(title, difference),
  ...difference.strange.map(({ name, as }) => {
    return `${title}: its column ${name} is ${as === undefined ? 'left out' : `read as ${as}`}`
  }),
]

/** What is wrong with the columns of saved rows. */
interface ColumnProblems {
  /** In all rows of the part, as after damage of the database's schema. */
  ofTable: string[]
  /** In some rows only. */
  ofRows: string[]
}

const keyOfStrange = ({ name, as }: StrangeColumn): string => JSON.stringify([name, as])

/** Divides lists into what all of them share, and the rest of each. */
function divide<Item>(lists: readonly Item[][], keyOf: (item: Item) => string) {
  const sets = lists.map(list => new Set(list.map(keyOf)))
  const shared = (lists[0] ?? []).filter(item => sets.every(set => set.has(keyOf(item))))
  const keys = new Set(shared.map(keyOf))
  return { shared, rest: lists.map(list => list.filter(item => !keys.has(keyOf(item)))) }
}

function tellRows(form: TableForm, rows: readonly SavedRow[], differences: readonly Difference[], tell: Tell) {
  const missing = divide(
    differences.map(difference => difference.missing),
    name => name,
  )
  const strange = divide(
    differences.map(difference => difference.strange),
    keyOfStrange,
  )
  return {
    ofTable: tell(`table ${form.name}`, { missing: missing.shared, strange: strange.shared }),
    ofRows: rows.flatMap((row, at) =>
      tell(titleOf(form, row), { missing: missing.rest[at] ?? [], strange: strange.rest[at] ?? [] }),
    ),
  }
}

const compareRows = (form: TableForm, rows: readonly SavedRow[]): Difference[] =>
  rows.map(row => compareColumns(form, Object.keys(row)))

/** Compares the columns of each saved row with those of its table: a backup may have been written by hand. */
export const tellColumnsOf = (form: TableForm, rows: readonly SavedRow[]): ColumnProblems =>
  tellRows(form, rows, compareRows(form, rows), tellDifference)

/** What is wrong with a database's tables and columns. */
export function tellSchema(forms: TableForms, tables: readonly Table[]): string[] {
  const ofColumns = tables.flatMap(({ name, columns }) => {
    const form = forms.get(name)
    if (form === undefined) return []
    // The columns' types decide whether they are saved as bytes or as text.
    const types = new Map(form.columns.map(column => [column.name, column.type === 'bytes']))
    const changed = columns.filter(column => types.has(column.name) && types.get(column.name) !== column.isBytes)
    const ofTypes = changed.map(column => `table ${name}: its column ${column.name} has another type`)
    return [...tellDifference(`table ${name}`, compareColumns(form, columns.map(nameOf))), ...ofTypes]
  })
  return [...tellTables(forms, tables.map(nameOf)), ...ofColumns]
}

/** What is wrong with the names of the migrations. */
export function tellGap(stored: StoredNames): string[] {
  const damage = tellDamagedNames(stored)
  return damage === undefined ? [] : [`table ${migrationsTable}: ${damage}`]
}

/** The tables that a snapshot has. */
export const tellTablesOf = (forms: TableForms, { tables }: Manifest): string[] => [
  ...tellTables(forms, tables.map(nameOf)),
  // Such rows would be sessions that nobody has begun.
  ...tables.map(nameOf).flatMap(name => (isSaved(name) ? [] : [`table ${name}: no backup has it, and it is left out`])),
]

interface FittedRows extends ColumnProblems {
  rows: SavedRow[]
}

function fitRow(row: SavedRow, { strange }: Difference): SavedRow {
  if (strange.length === 0) return row
  const names = new Map(strange.map(({ name, as }) => [name, as]))
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      const as = names.has(name) ? names.get(name) : name
      return as === undefined ? [] : [[as, value] as const]
    }),
  )
}

/** The rows with the columns that their table has, and no others. */
export function fitColumns(form: TableForm, rows: readonly SavedRow[]): FittedRows {
  const differences = compareRows(form, rows)
  const fitted = rows.map((row, at) => fitRow(row, differences[at] ?? { missing: [], strange: [] }))
  return { rows: fitted, ...tellRows(form, rows, differences, tellFitted) }
}
