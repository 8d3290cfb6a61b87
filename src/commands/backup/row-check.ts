/** Checks rows against their tables: the column types, and fsck's rules. */
import { findBrokenTexts } from '../../db/broken-text.ts'
import type { Database } from '../../db/database.ts'
import { maxId } from '../../db/last-ids.ts'
import type { TableForm } from '../../db/table-forms.ts'
import type { Row, Table } from '../../db/tables.ts'
import { findDuplicateKeys } from '../../db/unique-keys.ts'
import { tableRules } from '../fsck/table-rules.ts'
import { shorten } from './problems.ts'

interface Misfit<Of extends Row> {
  row: Of
  column: string
  /** `users 7: it has no email`. */
  problem: string
  /** Whether every table would refuse the row. */
  isRefused: boolean
}

type Cell = Row[string] | undefined

const fits = {
  integer: (value: Cell) => Number.isSafeInteger(value),
  text: (value: Cell) => typeof value === 'string',
  // Base64 in a backup; the bytes themselves are checked by SHA-256.
  bytes: (value: Cell) => typeof value === 'string' || Buffer.isBuffer(value),
}
const typeNames = { integer: 'whole number', text: 'text', bytes: 'bytes' }

/** The values that the table would refuse, whatever the rest of the row says. */
function refusalsOf({ columns }: TableForm, row: Row): [column: string, detail: string][] {
  return columns.flatMap(({ name, type, isRequired }) => {
    const value = row[name] ?? null
    if (value === null) return isRequired ? [[name, `it has no ${name}`]] : []
    return fits[type](value) ? [] : [[name, `its ${name} is no ${typeNames[type]}`]]
  })
}

/** fsck looks at a file together with its content. */
const lacksContent = ({ is_directory, blob_id, mime_type }: Row): boolean =>
  is_directory === 0 && blob_id === null && mime_type !== null
const noContent = 'it is a file, and names no content'

/** fsck asks the table for such ids (last-ids.ts). */
const isImpossibleId = (id: Cell): boolean => Number(id) < 1 || Number(id) > maxId
const impossibleId = 'its id is none that filestore gives'

/** The fsck rules that a row breaks. */
function brokenRulesOf({ name: table, key }: TableForm, row: Row): [column: string, detail: string][] {
  const columns = Object.entries(tableRules[table]?.columns ?? {})
  const own: [string, string][] = table === 'files' && lacksContent(row) ? [['blob_id', noContent]] : []
  if (key.join() === 'id' && isImpossibleId(row.id)) own.push(['id', impossibleId])
  const broken = columns.flatMap(([column, rule]) => {
    if (typeof rule === 'string' || !(column in row)) return []
    const isSound = rule.couldBe?.(row[column]) ?? rule.fits(row[column], row)
    return isSound ? [] : [[column, rule.detail] as [string, string]]
  })
  return [...own, ...broken]
}

const keyOf = (columns: readonly string[], row: Row): string => JSON.stringify(columns.map(name => row[name] ?? null))

/** What is wrong with a row whose key is there twice. */
export const tellTaken = (columns: readonly string[]): string =>
  `its ${columns.join(' and ')} ${columns.length === 1 ? 'is' : 'are'} another row's too`

/** Finds keys and unique values that an earlier row already has. */
function openKeyCheck({ key, unique, columns: all }: TableForm) {
  // A generated column is not in the rows.
  const known = unique.filter(columns => columns.every(name => all.some(column => column.name === name)))
  const seen = [key, ...known].map(columns => ({ columns, keys: new Set<string>() }))
  return (row: Row): [column: string, detail: string][] =>
    seen.flatMap(({ columns, keys }) => {
      if (columns.some(name => (row[name] ?? null) === null)) return []
      const found = keyOf(columns, row)
      if (!keys.has(found)) {
        keys.add(found)
        return []
      }
      return [[columns[0] ?? '', tellTaken(columns)]]
    })
}

/** Characters of a value that are kept in a title: a damaged key may be a text of any length. */
const mostOfKey = 200

/** `file_tags 7/12`: a row by its key. */
export const titleOf = ({ name, key }: Pick<TableForm, 'name' | 'key'>, row: Row): string =>
  `${name} ${key.map(column => shorten(String(row[column] ?? ''), mostOfKey)).join('/')}`

/**
 * What is wrong with some rows of a table that have all its columns. Duplicates are found only among these rows,
 * because remembering the keys of a whole table would take too much memory.
 */
export function findMisfits<Of extends Row>(form: TableForm, rows: readonly Of[]): Misfit<Of>[] {
  const compareKeys = openKeyCheck(form)
  return rows.flatMap(row => {
    const title = titleOf(form, row)
    const refusals = [...refusalsOf(form, row), ...compareKeys(row)]
    const refused = new Set(refusals.map(([column]) => column))
    const broken = brokenRulesOf(form, row).filter(([column]) => !refused.has(column))
    return [...refusals, ...broken].map(([column, detail]) => ({
      row,
      column,
      problem: `${title}: ${detail}`,
      isRefused: refused.has(column),
    }))
  })
}

/** The columns whose values fsck would replace, also where another release may have derived them. */
export const findUnfit = ({ name }: TableForm, row: Row): { column: string }[] =>
  Object.entries(tableRules[name]?.columns ?? {}).flatMap(([column, rule]) =>
    typeof rule === 'object' && column in row && !rule.fits(row[column], row) ? [{ column }] : [],
  )

/** Returns the row as fsck would repair it; undefined when fsck has no replacement or would delete the row. */
export function mendRow<Of extends Row>(
  form: TableForm,
  row: Of,
  misfits: readonly Pick<Misfit<Of>, 'column'>[],
): Of | undefined {
  const rules = tableRules[form.name]
  if (rules === undefined || rules.isDropped) return undefined
  const mended = { ...row }
  for (const { column } of misfits) {
    const rule = rules.columns[column]
    if (typeof rule !== 'object' || rule.mend === undefined) return undefined
    Object.assign(mended, rule.mend(mended))
  }
  return findMisfits(form, [mended]).some(({ isRefused }) => isRefused) ? undefined : mended
}

export const tellMisfits = (form: TableForm, rows: readonly Row[]): string[] =>
  findMisfits(form, rows).map(({ problem }) => problem)

/** Rows of a whole table, in its database, with the key of another row. */
export const tellDuplicates = async (db: Database, form: TableForm): Promise<string[]> =>
  (await findDuplicateKeys(db, form)).map(({ columns, row }) => `${titleOf(form, row)}: ${tellTaken(columns)}`)

/** Text that a backup cannot save as it is. Only the database can tell, so `--verify` and a restore repeat it. */
export async function tellBrokenTexts(db: Database, table: Table, rows: readonly Row[]): Promise<string[]> {
  const problems: string[] = []
  for (const row of rows) {
    for (const column of await findBrokenTexts(db, table, row)) {
      problems.push(`${titleOf(table, row)}: its ${column} is not UTF-8, and is saved with \uFFFD for what is not`)
    }
  }
  return problems
}
