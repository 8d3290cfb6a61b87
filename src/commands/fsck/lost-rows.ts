/**
 * Tells of rows of files that are lost. What is counted apart from the rows tells of them: a storage counts more items than
 * it has, and so does a folder; and no file names the bytes of a lost file, unless others have the same. Where the storage
 * does not, its folders and its types tell it together.
 */
import type { Database } from '../../db/database.ts'
import { type ContentRow, placeOf } from './content-rows.ts'
import type { Check } from './finding.ts'
import { type FolderDrift, findFolderDrifts, sumOf } from './folder-drifts.ts'
import { findTraces, findTrashed, type Trace } from './lost-traces.ts'
import { nameFolder, nameSpace } from './names.ts'
import { findExcess } from './place-evidence.ts'
import { readSpaces } from './spaces.ts'
import { findTypeDrifts } from './type-drifts.ts'

/** What a storage counts more than it has rows for. */
export interface Loss {
  spaceId: number
  /** What counts it: the storage, or its folders and types. */
  by: 'storage' | 'parts'
  items: number
  bytes: number
  /** The folders that count more items than they have; empty if this says nothing about lost ones. */
  folders: FolderDrift[]
  /** How many contents have been told to be perhaps those of lost files. */
  told: number
}

const ofKind = (folders: readonly FolderDrift[], kind: 0 | 1): FolderDrift[] =>
  folders.filter(({ is_directory }) => is_directory === kind)

/** The folders that lost items were in. Items in a wrong folder make up for each other. */
async function findFolders({ deps: { db }, areCountsStale, unsettled }: Check, spaceId: number, items: number) {
  // What is in another storage by its number is lacking, too.
  if (areCountsStale || unsettled.has(spaceId)) return []
  const drifts = await findFolderDrifts(db, spaceId)
  const kinds = ([0, 1] as const).map(kind => ofKind(drifts, kind)).filter(kind => sumOf(kind) > 0)
  // The folders cannot have lost more than the storage.
  const isTrue = kinds.reduce((sum, kind) => sum + sumOf(kind), 0) <= items
  return isTrue ? kinds.flat().filter(drift => drift.items > 0) : []
}

/** What folders and types count alike. Two tables do not get the same wrong number by chance. */
async function findLossByParts({ deps: { db }, areCountsStale, unsettled }: Check, spaceId: number) {
  if (areCountsStale || unsettled.has(spaceId)) return null
  const drifts = await findFolderDrifts(db, spaceId)
  if (drifts.every(({ items }) => items < 0)) return null
  const types = (await findTypeDrifts(db, spaceId)).filter(
    ({ is_directory, items }) => items > 0 && items === sumOf(ofKind(drifts, is_directory)),
  )
  const folders = types.flatMap(({ is_directory }) => ofKind(drifts, is_directory).filter(({ items }) => items > 0))
  if (folders.length === 0) return null
  const items = types.reduce((sum, type) => sum + type.items, 0)
  const bytes = types.reduce((sum, type) => sum + type.bytes, 0)
  return { spaceId, by: 'parts' as const, items, bytes, folders, told: 0 }
}

async function findLoss(check: Check, spaceId: number): Promise<Loss | null> {
  const excess = await findExcess(check.deps.db, spaceId)
  if (excess === undefined) return null
  if (excess.items >= 0) return findLossByParts(check, spaceId)
  const items = -excess.items
  const folders = await findFolders(check, spaceId, items)
  return { spaceId, by: 'storage', items, bytes: -excess.bytes, folders, told: 0 }
}

/** The storages that count more items than they have, in whichever table. With a damaged index, rows are there that are not found. */
export async function findLosses(check: Check): Promise<Loss[]> {
  const losses: Loss[] = []
  if (check.isDamaged()) return losses
  for await (const { id } of readSpaces(check)) {
    const loss = await check.deps.db.snapshot(() => findLoss(check, id))
    if (loss !== null) losses.push(loss)
  }
  check.lacking.push(...losses)
  return losses
}

/** Whether a content can be of a lost file. Of several, others may be folders, or have a content that another file has. */
export const mayBeOf = (
  { size }: Pick<ContentRow, 'size'>,
  { items, bytes }: Pick<Loss, 'items' | 'bytes'>,
): boolean => (items === 1 ? size === bytes : size <= bytes)

/** `1 item`, `3 files`. */
const count = (noun: string, many: number): string => `${many} ${noun}${many === 1 ? '' : 's'}`

const nameTrace = (trace: Trace): string => `'${trace.name}' (id:${trace.id})`

/** The names that may have been those of lost items, as the end of a sentence; empty if nothing says so. */
const namesOf = (traces: readonly Trace[]): string =>
  traces.length === 0 ? '' : `; by the events it may have been ${traces.map(nameTrace).join(', ')}`

async function nameFolders(db: Database, { spaceId, folders }: Loss, kind: 0 | 1): Promise<string[]> {
  const names: string[] = []
  for (const { folder_id } of ofKind(folders, kind)) names.push(await nameFolder(db, spaceId, folder_id))
  return names
}

/** The name of a lost file, as far as it is known. */
async function nameLost(db: Database, loss: Loss, traces: readonly Trace[], otherwise: string): Promise<string> {
  const [only] = traces.length === 1 ? traces : []
  return only === undefined ? otherwise : `${await nameSpace(db, loss.spaceId)}: ${nameTrace(only)}`
}

/** Reports a content that may be that of a lost file of one of these storages. It stays where it is. */
export async function reportLostContent(check: Check, content: ContentRow, losses: readonly Loss[]): Promise<void> {
  const { db } = check.deps
  const traces: Trace[] = []
  const places: string[] = []
  for (const loss of losses) {
    loss.told += 1
    check.kept.add(loss.spaceId)
    traces.push(...(await findTraces(db, loss.spaceId, { size: content.size })))
    places.push(await nameLoss(db, loss))
  }
  const [first, ...others] = losses
  if (first === undefined) return
  const bytes = `${content.size} bytes, SHA-256 ${content.sha256}: ${placeOf(content)}`
  await check.report({
    verdict: 'lost',
    problem: 'row-lost',
    name: others.length > 0 ? `content ${content.id}` : await nameLost(db, first, traces, `content ${content.id}`),
    detail: `no file names these ${bytes}; ${places.join('; ')}${namesOf(traces)}`,
    file_id: traces.length === 1 ? (traces[0]?.id ?? null) : null,
    blob_id: content.id,
    space_id: others.length > 0 ? null : first.spaceId,
    key: content.key,
  })
}

/** What a storage, and its folders, count too much. */
async function nameLoss(db: Database, loss: Loss): Promise<string> {
  const folders = await nameFolders(db, loss, 0)
  const inFolders = folders.length === 0 ? '' : `, in ${folders.join(', ')}`
  const items = `${count('item', loss.items)} and ${count('byte', loss.bytes)}`
  const storage = `the storage of ${await nameSpace(db, loss.spaceId)}`
  const counts = loss.by === 'storage' ? `${storage} counts` : `the folders and types in ${storage} count`
  return `${counts} ${items} more than it has${inFolders}`
}

/** Reports the items that a folder has lost. */
async function reportFolder(check: Check, loss: Loss, { folder_id, is_directory, items }: FolderDrift): Promise<void> {
  const { db } = check.deps
  const { spaceId } = loss
  const isDirectory = is_directory === 1
  const size = loss.items === 1 ? loss.bytes : undefined
  const traces = await findTraces(db, spaceId, isDirectory ? { folderId: folder_id } : { size })
  const noun = isDirectory ? 'folder' : 'file'
  const others = loss.by === 'storage' ? 'does its storage' : 'do the types of its storage'
  const bytes = size === undefined || isDirectory ? '' : ` of ${count('byte', size)}`
  await check.report({
    verdict: 'lost',
    problem: 'row-lost',
    name: await nameFolder(db, spaceId, folder_id),
    detail: `it counts ${count(noun, items)}${bytes} more than it has, and so ${others}${namesOf(traces)}`,
    file_id: folder_id === 0 ? null : folder_id,
    space_id: spaceId,
  })
}

async function reportTrashed(check: Check, { spaceId }: Loss, trace: Trace): Promise<void> {
  await check.report({
    verdict: 'lost',
    problem: 'row-lost',
    name: `${await nameSpace(check.deps.db, spaceId)}: ${nameTrace(trace)} (trash)`,
    detail: 'it was put into the trash, and nobody has deleted it for good; its storage still counts it',
    file_id: trace.id,
    space_id: spaceId,
  })
}

/** Reports what no content has told of: files whose content others have, too, folders, and what was in the trash. */
export async function reportLossesLeft(check: Check, losses: readonly Loss[]): Promise<void> {
  const { db } = check.deps
  for (const loss of losses) {
    const files = ofKind(loss.folders, 0)
    const left = [...(sumOf(files) > loss.told ? files : []), ...ofKind(loss.folders, 1)]
    const trashed = loss.told === 0 && left.length === 0 ? await findTrashed(db, loss.spaceId, loss.items) : []
    if (left.length + trashed.length > 0) check.kept.add(loss.spaceId)
    for (const folder of left) await reportFolder(check, loss, folder)
    for (const trace of trashed) await reportTrashed(check, loss, trace)
  }
}
