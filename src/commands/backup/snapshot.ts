/** Takes a snapshot of rows and files at one moment. The server may be running. */

import { AppError } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import { sqlNow } from '../../db/database-time.ts'
import { addToldBy, isDamagedId, lastIdOf, lastIdsOf, type ToldIds, titleLastId } from '../../db/last-ids.ts'
import { findMigrations } from '../../db/migrate.ts'
import { completeNames } from '../../db/migrations-table.ts'
import { findTableForms, type TableForms } from '../../db/table-forms.ts'
import { findTables, type Row, type Table } from '../../db/tables.ts'
import { tellLostKeys } from '../../db/unique-keys.ts'
import type { Deps } from '../../deps.ts'
import { version } from '../../version.ts'
import { addLosses, type Copied, countInlineLosses, OutdatedError } from './blobs.ts'
import type { CopyOptions } from './contents.ts'
import { beginHold, keepHold, withHold } from './hold.ts'
import { firstFormat, type Manifest, snapshotName, type TableParts } from './manifest.ts'
import { findOwnProblems } from './own-check.ts'
import { addProblems, noProblems, type Problems } from './problems.ts'
import { openRelationCheck, relationsOf } from './relations.ts'
import { tellBrokenTexts, tellDuplicates, tellMisfits } from './row-check.ts'
import { isSaved, type RowPlace, saveRows } from './rows.ts'
import { type FoundSecret, findSecretToSave } from './secret.ts'
import { tellGap, tellSchema } from './table-check.ts'

export interface Taken {
  manifest: Manifest
  copied: Copied
  /** Problems of the database and its rows. */
  damage: Problems
  secret: FoundSecret | null
}

/** Copies the contents that the rows of some tables name. Throws as `saveBlobs`. */
type SaveContents = (tables: TableParts[]) => Promise<Copied>

/** How often the rows are read again after a hold has expired. */
const maxTries = 3

/** Sets each table's counter to the highest id ever assigned; returns the counters that were wrong. */
function countOn(tables: readonly TableParts[], told: ToldIds): string[] {
  const lastIds = lastIdsOf(tables, told)
  for (const [at, lastId] of lastIds.entries()) {
    const saved = tables[at]
    if (saved !== undefined && (saved.last_id !== null || isDamagedId(lastId))) saved.last_id = lastIdOf(lastId)
  }
  return lastIds.filter(isDamagedId).map(titleLastId)
}

/** The mark of the server's secret among some rows. */
function secretMarkIn({ name }: Table, rows: readonly Row[]): number | null {
  const mark = name === 'server_state' ? rows.find(({ key }) => key === 'secret_mark')?.value : undefined
  return typeof mark === 'number' && Number.isSafeInteger(mark) ? mark : null
}

/** Saves the rows of one moment, and checks them and their database. */
function saveLooking(db: Database, rows: RowPlace, options: CopyOptions) {
  const damage = noProblems()
  let forms: TableForms = new Map()
  let relations = openRelationCheck(forms)
  const told: ToldIds = new Map()
  const broken = noProblems()
  let secretMark: number | null = null
  const onRows = async (table: Table, slice: readonly Row[]): Promise<void> => {
    addToldBy(told, table.name, slice)
    secretMark ??= secretMarkIn(table, slice)
    addProblems(broken, await tellBrokenTexts(db, table, slice))
    const form = forms.get(table.name)
    if (form === undefined) return
    relations.add(table.name, relationsOf(form, slice))
    addProblems(damage, tellMisfits(form, slice))
  }
  return db.snapshot(async () => {
    const readAt = (await db.row<{ now: number }>(`SELECT ${sqlNow(db.dialect)} AS now`))?.now
    const executed = completeNames(await findMigrations(db))
    const migrations = executed.names
    forms = await findTableForms(migrations)
    relations = openRelationCheck(forms)
    const there = (await findTables(db)).filter(({ name }) => isSaved(name))
    // A table that has lost its key is read in the order that it should have.
    const tables = there.flatMap(table => {
      const form = forms.get(table.name)
      return form === undefined ? [] : [{ ...table, key: form.key }]
    })
    const found = [...tellGap(executed), ...tellSchema(forms, there)]
    const own = await findOwnProblems(
      db,
      tables.map(({ name }) => name),
      options.signal,
    )
    found.push(...own.problems)
    for (const { name } of tables) {
      const form = forms.get(name)
      if (form !== undefined) found.push(...(await tellLostKeys(db, form)), ...(await tellDuplicates(db, form)))
    }
    addProblems(damage, found)
    const onCut = (table: string, { message }: Error): void => {
      const problem = `table ${table}: it cannot be read to its end, and what lies behind is missing (${message})`
      found.push(problem)
      addProblems(damage, [problem])
    }
    const saved = await saveRows(db, rows, tables, options, {
      onRows,
      onCut,
      look: slicesOf => countInlineLosses(db, slicesOf('blobs'), slicesOf('blob_bytes')),
    })
    found.push(...broken.problems)
    addProblems(damage, broken.problems, broken.problem_count)
    const ofRows = [...relations.find(), ...countOn(saved.tables, told)]
    found.push(...ofRows)
    addProblems(damage, ofRows)
    return { readAt, migrations, saved, found, unclear: own.unclear, damage, secretMark }
  })
}

async function trySnapshot(deps: Deps, rows: RowPlace, save: SaveContents, options: CopyOptions): Promise<Taken> {
  const time = new Date(deps.clock.now())
  // Once the rows are read, hold only what they name: copying may take hours, in which a user could fill the disk with
  // bytes that come and go. The second hold begins before the first ends.
  const { hold, migrations, saved, found, unclear, damage, secretMark } = await withHold(deps, async () => {
    const looked = await saveLooking(deps.db, rows, options)
    return { ...looked, hold: await beginHold(deps, looked.readAt) }
  })
  const { tables, seen: lost } = saved
  const copied = addLosses(await keepHold(deps, hold, () => save(tables)), lost)
  const secret = await findSecretToSave(deps.config, secretMark)
  const manifest: Manifest = {
    format: firstFormat,
    snapshot: snapshotName(time),
    time: time.toISOString(),
    version,
    dialect: deps.db.dialect,
    migrations,
    tables,
    contents: { count: copied.count, bytes: copied.bytes },
    lost: copied.lost_count,
    ...(secret === null ? {} : { secret: { mark: secret.mark, is_given: secret.state === 'given' } }),
    ...(damage.problem_count === 0
      ? {}
      : { damage: { count: damage.problem_count, found, ...(unclear.length > 0 && { unclear }) } }),
  }
  return { manifest, copied, damage, secret }
}

/**
 * Saves consistent rows and contents, but not the manifest that makes them a snapshot; `save` may be called repeatedly.
 * Throws `unavailable` when contents were deleted meanwhile again and again.
 */
export async function takeSnapshot(
  deps: Deps,
  rows: RowPlace,
  save: SaveContents,
  options: CopyOptions,
): Promise<Taken> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await trySnapshot(deps, rows, save, options)
    } catch (error) {
      if (!(error instanceof OutdatedError)) throw error
      if (attempt < maxTries) continue
      throw new AppError('unavailable', 'Files were deleted while they were copied, try again', { cause: error })
    }
  }
}
