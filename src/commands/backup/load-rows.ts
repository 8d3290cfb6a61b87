/** Fills tables with the rows of a snapshot. A row that its table refuses is skipped and reported. */
import { driverError } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { findTableForms, type TableForm } from '../../db/table-forms.ts'
import { emptyTable, findTables, insertRows, type Table } from '../../db/tables.ts'
import { type CopyOptions, DamagedError } from './contents.ts'
import type { SavedRow } from './decode-rows.ts'
import type { Manifest, TableParts } from './manifest.ts'
import { addNewProblems, addProblems, noProblems, type Problems } from './problems.ts'
import { openRelationCheck, type RelationCheck, relationsOf } from './relations.ts'
import { findMisfits, findUnfit, mendRow, titleOf } from './row-check.ts'
import { isSaved, readPart, type Saved, toRow } from './rows.ts'
import { fitColumns, tellTablesOf } from './table-check.ts'

/** Adds advice for people to an error about damaged rows. */
function explainRows(name: string, error: unknown): unknown {
  if (!(error instanceof DamagedError)) return error
  const advice = "'filestore backup --verify' tells more, and --snapshot takes another snapshot"
  return new Error(`The rows of ${name} are damaged: ${error.message}. ${advice}`, { cause: error })
}

/** MariaDB's errors for a value that a column, key or check refuses: null, duplicate, out of range, wrong, too long. */
const refusals = new Set([1048, 1062, 1264, 1292, 1366, 1406, 4025])

function isRefusal(error: unknown): boolean {
  const { code, errno = 0 } = driverError(error)
  return code === 'SQLITE_CONSTRAINT' || refusals.has(errno)
}

/** A row to add, what is wrong with it, and whether it was mended for that. */
interface Candidate {
  row: SavedRow
  problems: string[]
  fate: 'mended' | 'taken as it is'
}

/** The rows that their table accepts, repaired where fsck has a replacement for an invalid value. */
function chooseRows(form: TableForm | undefined, rows: readonly SavedRow[], problems: Problems): Candidate[] {
  const found = form === undefined ? [] : findMisfits(form, rows)
  const damaged = new Map(found.map(({ row }) => [row, [] as typeof found]))
  for (const misfit of found) damaged.get(misfit.row)?.push(misfit)
  return rows.flatMap((row): Candidate[] => {
    const misfits = damaged.get(row) ?? []
    const told = misfits.map(({ problem }) => problem)
    const refused = misfits.filter(({ isRefused }) => isRefused)
    if (form === undefined || refused.length === 0) return [{ row, problems: told, fate: 'taken as it is' }]
    const mended = mendRow(form, row, refused)
    if (mended !== undefined) return [{ row: mended, problems: told, fate: 'mended' }]
    addFate(problems, told, 'left out')
    return []
  })
}

const addFate = (problems: Problems, told: readonly string[], fate: string): void =>
  addProblems(
    problems,
    told.map(problem => `${problem}; ${fate}`),
  )

interface Target {
  table: Table
  relations: RelationCheck
  form: TableForm | undefined
}

const insert = (db: Database, table: Table, rows: readonly SavedRow[]): Promise<unknown> =>
  db.touch(() =>
    insertRows(
      db,
      table,
      rows.map(row => toRow(table, row)),
    ),
  )

/** Adds a row that the table has refused, with the values that fsck would give it; false if these are refused too. */
async function addMended(db: Database, { table, form }: Target, row: SavedRow): Promise<boolean> {
  const mended = form === undefined ? undefined : mendRow(form, row, findUnfit(form, row))
  if (mended === undefined) return false
  try {
    await insert(db, table, [mended])
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    return false
  }
}

/** Adds rows together; if that fails, adds them one by one, and mends or skips those that are refused. */
async function addRows(db: Database, target: Target, rows: readonly Candidate[], problems: Problems): Promise<void> {
  if (rows.length === 0) return
  try {
    await insert(
      db,
      target.table,
      rows.map(({ row }) => row),
    )
    for (const { problems: told, fate } of rows) addFate(problems, told, fate)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [first, ...others] = rows
    if (first !== undefined && others.length === 0) {
      const { row, problems: told } = first
      const fate = (await addMended(db, target, row)) ? 'mended' : 'left out'
      const reason = `${titleOf(target.table, row)}: ${driverError(error).message}`
      addFate(problems, told.length > 0 ? told : [reason], fate)
      return
    }
    const half = Math.ceil(rows.length / 2)
    await addRows(db, target, rows.slice(0, half), problems)
    await addRows(db, target, rows.slice(half), problems)
  }
}

function fitRows(form: TableForm, saved: readonly SavedRow[], problems: Problems): SavedRow[] {
  const { rows, ofTable, ofRows } = fitColumns(form, saved)
  addNewProblems(problems, ofTable)
  addProblems(problems, ofRows)
  return rows
}

async function loadTable(
  db: Database,
  backup: Saved,
  target: Target,
  saved: TableParts,
  { signal, onBytes }: CopyOptions,
): Promise<Problems> {
  const { table, form, relations } = target
  const problems = noProblems()
  await db.touch(() => emptyTable(db, table))
  for (const part of saved.parts) {
    signal.throwIfAborted()
    const rows = await readPart(backup, part).catch(error => {
      throw explainRows(table.name, error)
    })
    const chosen = chooseRows(form, form === undefined ? rows : fitRows(form, rows, problems), problems)
    const kept = chosen.map(({ row }) => row)
    if (form !== undefined) relations.add(table.name, relationsOf(form, kept))
    await addRows(db, target, chosen, problems)
    onBytes(part.size)
  }
  return problems
}

/** Fills the tables; returns which rows are damaged or missing. Throws when the parts differ from what was saved. */
export async function loadRows(
  db: Database,
  backup: Saved,
  manifest: Manifest,
  options: CopyOptions,
): Promise<Problems> {
  const problems = noProblems()
  const tables = new Map((await findTables(db)).map(table => [table.name, table]))
  const forms = await findTableForms(manifest.migrations)
  const relations = openRelationCheck(forms)
  addProblems(problems, tellTablesOf(forms, manifest))
  for (const saved of manifest.tables) {
    const table = tables.get(saved.name)
    // It is reported with the list of tables.
    if (table === undefined || !isSaved(saved.name)) continue
    const found = await loadTable(db, backup, { table, form: forms.get(table.name), relations }, saved, options)
    addProblems(problems, found.problems, found.problem_count)
  }
  addProblems(problems, relations.find())
  return problems
}
