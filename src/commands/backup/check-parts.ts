/** Checks the parts of snapshots, each once, however many snapshots need it. */
import { addToldBy, type ToldIds } from '../../db/last-ids.ts'
import { findTableForms, type TableForm, type TableForms } from '../../db/table-forms.ts'
import { DamagedError } from './contents.ts'
import { type Damages, problemOf } from './damages.ts'
import type { SavedRow } from './decode-rows.ts'
import { openInlineChecks } from './inline.ts'
import type { Manifest, Part } from './manifest.ts'
import { addFound, addProblems, type Found, noProblems, nothingFound, type Problems, shorten } from './problems.ts'
import { noRelations, type Relations, relationsOf } from './relations.ts'
import { tellMisfits } from './row-check.ts'
import { type BlobRow, readRows, type Saved, toBlobRows } from './rows.ts'
import { tellColumnsOf } from './table-check.ts'

/** A content that is missing or damaged. */
export interface BadBlob {
  id: number
  /** As its row tells it, shortened. */
  sha256: string
  problem: string
}

/** Its row's texts may be of any length. */
const toBadBlob = ({ id, sha256 }: BlobRow, problem: string): BadBlob => ({ id, sha256: shorten(sha256), problem })

/** What was found in a part. Snapshots share most parts. */
interface CheckedPart {
  problem: string | undefined
  /** Of the columns of all its rows. */
  columns: Problems
  /** Of its rows. */
  rows: Problems
  /** Ids that its rows mention. */
  told: ToldIds
  relations: Relations
  blobs: Found<BadBlob>
}

/** How many sentences, and how many contents, a snapshot still lists. More would be kept for nothing. */
interface Room {
  sentences: number
  blobs: number
}

/** The table of a part, as the snapshot's migrations define it. */
interface Of {
  name: string
  form: TableForm | undefined
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

async function checkPart(place: Saved, damages: Damages, part: Part, { name, form }: Of, room: Room) {
  const rows = await readChecked(place, damages, part)
  const checked: CheckedPart = {
    problem: undefined,
    columns: noProblems(),
    rows: noProblems(),
    told: new Map(),
    relations: noRelations(),
    blobs: nothingFound(),
  }
  if (typeof rows === 'string') return { ...checked, problem: rows }
  addToldBy(checked.told, name, rows)
  if (form !== undefined) {
    checked.relations = relationsOf(form, rows)
    const { ofTable, ofRows } = tellColumnsOf(form, rows)
    addProblems(checked.columns, ofTable, ofTable.length, room.sentences)
    const ofAll = [...ofRows, ...tellMisfits(form, rows)]
    addProblems(checked.rows, ofAll, ofAll.length, room.sentences)
  }
  for (const blob of name === 'blobs' ? toBlobRows(rows, 'store') : []) {
    const found = await problemOf(place, damages, blob)
    if (found === undefined) continue
    const isKept = checked.blobs.first.length < room.blobs
    addFound(checked.blobs, { first: isKept ? [toBadBlob(blob, found)] : [], count: 1 })
  }
  return checked
}

const hasEnough = ({ columns, rows, blobs }: CheckedPart, { sentences, blobs: contents }: Room): boolean =>
  [columns, rows].every(({ problems, problem_count }) => problems.length >= Math.min(problem_count, sentences)) &&
  blobs.first.length >= Math.min(blobs.count, contents)

/** Checks each part once, however many snapshots need it. */
export function openChecks(place: Saved, damages: Damages, signal: AbortSignal) {
  const checked = new Map<string, CheckedPart>()
  const forms = new Map<string, Promise<TableForms>>()
  const numbers = new Map<string, number>()
  const formsOf = ({ migrations }: Manifest): Promise<TableForms> => {
    const key = migrations.join()
    const found = forms.get(key) ?? findTableForms(migrations)
    forms.set(key, found)
    return found
  }
  /** The same for equal forms, which are long. */
  const numberOf = (form: TableForm | undefined): number => {
    const key = JSON.stringify(form) ?? ''
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  const check = async (part: Part, of: Of, room: Room): Promise<CheckedPart> => {
    signal.throwIfAborted()
    const key = `${part.sha256} ${numberOf(of.form)}`
    const known = checked.get(key)
    // A part is read again if an earlier snapshot had no room for its sentences, and this one has.
    if (known !== undefined && hasEnough(known, room)) return known
    const found = await checkPart(place, damages, part, of, room)
    checked.set(key, found)
    return found
  }
  return { check, formsOf, findInlineLosses: openInlineChecks(place, signal, toBadBlob) }
}

export type Checks = ReturnType<typeof openChecks>
