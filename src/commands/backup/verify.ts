/** `filestore backup --verify`: checks that everything the snapshots name is there and intact. */
import { AppError } from '../../base/errors.ts'
import { resolvePath } from '../../base/process-context.ts'
import type { Flags } from '../../config-options.ts'
import { addTold, addToldBy, isDamagedId, lastIdsOf, type ToldIds, titleLastId } from '../../db/last-ids.ts'
import { completeNames } from '../../db/migrations-table.ts'
import { findTableForms, type TableForm, type TableForms } from '../../db/table-forms.ts'
import { withConfig } from '../open.ts'
import { type CopyOptions, DamagedError } from './contents.ts'
import { type Damages, findDamages, problemOf } from './damages.ts'
import type { SavedRow } from './decode-rows.ts'
import { openInlineChecks } from './inline.ts'
import { withLock } from './lock.ts'
import { listSnapshots, type Manifest, type Part, readManifest } from './manifest.ts'
import { findPlace, isBackupFile, type Place } from './place.ts'
import { addNewProblems, addProblems, noProblems, type Problems, toldProblems } from './problems.ts'
import { withFileBackup } from './read-file.ts'
import { noRelations, openRelationCheck, type Relations, relationsOf } from './relations.ts'
import { tellMisfits } from './row-check.ts'
import { type BlobRow, partsOf, readRows, type Saved, toBlobRows } from './rows.ts'
import { type FindKept, keptInFolder, tellSecret } from './secret.ts'
import { compareList, tellMissing } from './snapshot-list.ts'
import { tellColumnsOf, tellGap, tellTablesOf } from './table-check.ts'

interface VerifiedSnapshot extends Problems {
  snapshot: string
}

export interface Verification {
  /** The backup that was read: exactly one of the two is set. */
  folder: string | null
  file: string | null
  /** Contents read, rows and files alike, and their bytes. */
  contents: { count: number; bytes: number }
  /** Those that were deleted by hand too. */
  snapshots: VerifiedSnapshot[]
  /** What is wrong with the folder's list of snapshots, one sentence each. */
  problems: string[]
}

/** Names one file for each content, as far as the rows are readable. */
async function nameFiles(
  place: Saved,
  manifest: Manifest,
  blobs: readonly BadBlob['blob'][],
): Promise<Map<number, string>> {
  const wanted = new Set(blobs.map(({ id }) => id))
  const names = new Map<number, string>()
  for (const part of partsOf(manifest, 'files')) {
    if (names.size === wanted.size) break
    const rows = await readRows(place, part).catch(() => [])
    for (const { id, name, blob_id } of rows) {
      if (wanted.has(Number(blob_id))) names.set(Number(blob_id), `${name} (id:${id})`)
    }
  }
  return names
}

interface BadBlob {
  /** Its row's texts may be long, so the others are not kept. */
  blob: Pick<BlobRow, 'id' | 'sha256'>
  problem: string
}

/** What was found in a part. Snapshots share most parts. */
interface CheckedPart {
  problem: string | undefined
  /** Of the columns of all its rows. */
  columns: string[]
  /** Of its rows. */
  rows: Problems
  /** Ids that its rows mention. */
  told: ToldIds
  relations: Relations
  blobs: BadBlob[]
}

/** The rows of a part, or what is wrong with it: its bytes may be those of the manifest, and no rows. */
async function readChecked(place: Saved, damages: Damages, part: Part): Promise<SavedRow[] | string> {
  const problem = await problemOf(place, damages, part)
  if (problem !== undefined) return problem
  return readRows(place, part).catch(error => {
    if (!(error instanceof DamagedError)) throw error
    return error.message
  })
}

async function checkPart(place: Saved, damages: Damages, part: Part, { name, form }: Of): Promise<CheckedPart> {
  const rows = await readChecked(place, damages, part)
  const checked: CheckedPart = {
    problem: undefined,
    columns: [],
    rows: noProblems(),
    told: new Map(),
    relations: noRelations(),
    blobs: [],
  }
  if (typeof rows === 'string') return { ...checked, problem: rows }
  addToldBy(checked.told, name, rows)
  if (form !== undefined) {
    checked.relations = relationsOf(form, rows)
    const { ofTable, ofRows } = tellColumnsOf(form, rows)
    checked.columns = ofTable
    addProblems(checked.rows, [...ofRows, ...tellMisfits(form, rows)])
  }
  for (const blob of name === 'blobs' ? toBlobRows(rows, 'store') : []) {
    const found = await problemOf(place, damages, blob)
    if (found !== undefined) checked.blobs.push({ blob: { id: blob.id, sha256: blob.sha256 }, problem: found })
  }
  return checked
}

/** The table of a part, as the snapshot's migrations define it. */
interface Of {
  name: string
  form: TableForm | undefined
}

/** Checks each part once, however many snapshots need it. */
function openChecks(place: Saved, damages: Damages, signal: AbortSignal) {
  const checked = new Map<string, Promise<CheckedPart>>()
  const forms = new Map<string, Promise<TableForms>>()
  const formsOf = ({ migrations }: Manifest): Promise<TableForms> => {
    const key = migrations.join()
    const found = forms.get(key) ?? findTableForms(migrations)
    forms.set(key, found)
    return found
  }
  const check = (part: Part, of: Of): Promise<CheckedPart> => {
    signal.throwIfAborted()
    const key = `${part.sha256} ${JSON.stringify(of.form)}`
    const found = checked.get(key) ?? checkPart(place, damages, part, of)
    checked.set(key, found)
    return found
  }
  return { check, formsOf, findInlineLosses: openInlineChecks(place, signal) }
}

type Checks = ReturnType<typeof openChecks>

/** The counters of an older filestore's snapshot that are below an assigned id. */
const tellLastIds = ({ tables }: Manifest, told: ToldIds): string[] =>
  lastIdsOf(tables, told).filter(isDamagedId).map(titleLastId)

/** All contents that a snapshot lacks, small ones included; problems of rows are added to `problems`. */
async function findBadBlobs(manifest: Manifest, checks: Checks, problems: Problems): Promise<BadBlob[]> {
  const forms = await checks.formsOf(manifest)
  addNewProblems(problems, [...tellGap(completeNames(manifest.migrations)), ...tellTablesOf(forms, manifest)])
  const bad: BadBlob[] = []
  const readable = new Map<string, Part[]>()
  const ids: ToldIds = new Map()
  const relations = openRelationCheck(forms)
  for (const { name, parts } of manifest.tables) {
    const whole: Part[] = []
    readable.set(name, whole)
    for (const part of parts) {
      const {
        problem,
        columns,
        rows,
        told,
        relations: mentioned,
        blobs,
      } = await checks.check(part, { name, form: forms.get(name) })
      if (problem !== undefined) addProblems(problems, [`rows of ${name}: blobs/${part.sha256} ${problem}`])
      else whole.push(part)
      addNewProblems(problems, columns)
      addProblems(problems, rows.problems, rows.problem_count)
      relations.add(name, mentioned)
      for (const [table, id] of told) addTold(ids, table, id)
      bad.push(...blobs)
    }
  }
  addNewProblems(problems, relations.find())
  addProblems(problems, tellLastIds(manifest, ids))
  const losses = await checks.findInlineLosses(readable.get('blobs') ?? [], readable.get('blob_bytes') ?? [])
  return [...bad, ...losses.map(({ blob, error }) => ({ blob, problem: error.message }))]
}

async function verifySnapshot(
  place: Saved & { findSecret: FindKept },
  manifest: Manifest,
  checks: Checks,
): Promise<VerifiedSnapshot> {
  const problems = noProblems()
  // List the database's own findings. Those about rows appear again below.
  addProblems(problems, manifest.damage?.found ?? [])
  addProblems(problems, await tellSecret(manifest, place.findSecret))
  const bad = await findBadBlobs(manifest, checks, problems)
  const told = bad.slice(0, toldProblems)
  const names = await nameFiles(
    place,
    manifest,
    told.map(({ blob }) => blob),
  )
  const sentences = told.map(({ blob, problem }) => `${names.get(blob.id) ?? 'a file'}: ${blob.sha256} ${problem}`)
  addProblems(problems, sentences, bad.length)
  return { snapshot: manifest.snapshot, ...problems }
}

async function verifyPlace(place: Place, options: CopyOptions): Promise<Verification> {
  const names = await listSnapshots(place)
  const { missing, problems } = await compareList(place)
  if (names.length + missing.length === 0)
    throw new AppError('not_found', `There is no complete backup in ${place.folder} yet`)
  const { damages, read } = await findDamages(place, options)
  const checks = openChecks(place, damages, options.signal)
  const snapshots: VerifiedSnapshot[] = []
  for (const name of names) {
    const manifest = await readManifest(place, name).catch((error: Error) => error)
    const isRead = !(manifest instanceof Error)
    snapshots.push(
      isRead
        ? await verifySnapshot({ ...place, findSecret: keptInFolder(place) }, manifest, checks)
        : { snapshot: name, problems: [manifest.message], problem_count: 1 },
    )
  }
  for (const name of missing) snapshots.push({ snapshot: name, problems: [tellMissing(name)], problem_count: 1 })
  snapshots.sort((one, other) => (one.snapshot < other.snapshot ? -1 : 1))
  return { folder: place.folder, file: null, contents: read, snapshots, problems }
}

const verifyFile = (file: string, options: CopyOptions): Promise<Verification> =>
  withFileBackup(file, options, async backup => {
    const checks = openChecks(backup, backup.damages, options.signal)
    const snapshot = await verifySnapshot(backup, backup.manifest, checks)
    return { folder: null, file, contents: backup.read, snapshots: [snapshot], problems: [] }
  })

/**
 * Reads everything in a backup folder or file, and changes nothing. Throws as `withConfig`, `invalid_input` when there
 * is no backup, `not_found` for a folder without a snapshot, and `in_use` when another process uses it.
 */
export const verifyBackups = (flags: Flags, path: string, options: CopyOptions): Promise<Verification> =>
  withConfig(flags, async () => {
    if (isBackupFile(path)) return verifyFile(resolvePath(path), options)
    const place = await findPlace(resolvePath(path))
    return withLock(place.folder, () => verifyPlace(place, options))
  })
