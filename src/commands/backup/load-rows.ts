/** Fills tables with the rows of a snapshot. A row that its table refuses is skipped and reported. */
import { driverError } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { findTableForms, type TableForm } from '../../db/table-forms.ts'
import { emptyTable, findTables, insertRows, type Row, type Table } from '../../db/tables.ts'
import { type CopyOptions, DamagedError } from './contents.ts'
import type { Manifest, TableParts } from './manifest.ts'
import { addNewProblems, addProblems, noProblems, type Problems } from './problems.ts'
import { idsOf, openReferenceCheck, type ReferenceCheck } from './references.ts'
import { findMisfits, mendRow, titleOf } from './row-check.ts'
import { readPart, type Saved, type SavedRow, toRow } from './rows.ts'
import { fitColumns, tellTablesOf } from './table-check.ts'

/** Adds advice for people to an error about damaged rows. */
function explainRows(name: string, error: unknown): unknown {
  if (!(error instanceof DamagedError)) return error
  const advice = "'filestore backup --verify' tells more, and --snapshot takes another snapshot"
  return new Error(`The rows of ${name} are damaged: ${error.message}. ${advice}`, { cause: error })
}

/** MariaDB's errors for a value that a column or key refuses: null, duplicate, out of range, wrong type, too long. */
const refusals = new Set([1048, 1062, 1264, 1292, 1366, 1406])

function isRefusal(error: unknown): boolean {
  const { code, errno = 0 } = driverError(error)
  return code === 'SQLITE_CONSTRAINT' || refusals.has(errno)
}

/** Adds rows together; if that fails, adds them one by one and skips those that are refused. */
async function addRows(db: Database, table: Table, rows: readonly Row[], problems: Problems): Promise<void> {
  if (rows.length === 0) return
  try {
    await db.touch(() => insertRows(db, table, rows))
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [row, ...others] = rows
    if (row !== undefined && others.length === 0) {
      addProblems(problems, [`${titleOf(table, row)}: ${driverError(error).message}; left out`])
      return
    }
    const half = Math.ceil(rows.length / 2)
    await addRows(db, table, rows.slice(0, half), problems)
    await addRows(db, table, rows.slice(half), problems)
  }
}

/** The rows that their table accepts, repaired where fsck has a replacement for an invalid value. */
function chooseRows(form: TableForm, rows: readonly SavedRow[], problems: Problems): SavedRow[] {
  const found = findMisfits(form, rows)
  if (found.length === 0) return [...rows]
  const damaged = new Map(found.map(({ row }) => [row, [] as typeof found]))
  for (const misfit of found) damaged.get(misfit.row)?.push(misfit)
  return rows.flatMap(row => {
    const misfits = damaged.get(row) ?? []
    const refused = misfits.filter(({ isRefused }) => isRefused)
    const mended = refused.length === 0 ? row : mendRow(form, row, refused)
    const what = refused.length === 0 ? 'taken as it is' : mended === undefined ? 'left out' : 'mended'
    addProblems(
      problems,
      misfits.map(({ problem }) => `${problem}; ${what}`),
    )
    return mended === undefined ? [] : [mended]
  })
}

function fitRows(form: TableForm, saved: readonly SavedRow[], problems: Problems): SavedRow[] {
  const { rows, problems: found } = fitColumns(form, saved)
  addNewProblems(problems, found)
  return rows
}

interface Target {
  table: Table
  references: ReferenceCheck
  form: TableForm | undefined
}

async function loadTable(
  db: Database,
  backup: Saved,
  { table, form, references }: Target,
  saved: TableParts,
  { signal, onBytes }: CopyOptions,
): Promise<Problems> {
  const problems = noProblems()
  await db.touch(() => emptyTable(db, table))
  for (const part of saved.parts) {
    signal.throwIfAborted()
    const rows = await readPart(backup, part).catch(error => {
      throw explainRows(table.name, error)
    })
    const chosen = form === undefined ? rows : chooseRows(form, fitRows(form, rows, problems), problems)
    if (form !== undefined) references.add(table.name, idsOf(form, chosen))
    await addRows(
      db,
      table,
      chosen.map(row => toRow(table, row)),
      problems,
    )
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
  const references = openReferenceCheck(forms)
  addProblems(problems, tellTablesOf(forms, manifest))
  for (const saved of manifest.tables) {
    const table = tables.get(saved.name)
    // It is reported with the list of tables.
    if (table === undefined) continue
    const found = await loadTable(db, backup, { table, form: forms.get(table.name), references }, saved, options)
    addProblems(problems, found.problems, found.problem_count)
  }
  addProblems(problems, references.find())
  return problems
}
