/** Stores many received files of one request, in their order, each accepted or refused by itself. */
import type { Actor } from '../access/actor.ts'
import { confirmActor } from '../access/confirm-actor.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { FileDetails } from '../api/items.ts'
import type { uploadMany as endpoint, UploadResult } from '../api/upload-many.ts'
import { AppError, invalidField, nameTaken } from '../base/errors.ts'
import { groupBy } from '../base/group-by.ts'
import { mayBeCommitted } from '../db/connections.ts'
import { toAppError } from '../db/failures.ts'
import type { Deps } from '../deps.ts'
import type { ManyAdmission, SentFile, SentItem } from '../route.ts'
import { findReturned } from './check-upload.ts'
import { findFolder } from './find.ts'
import { findTakenIn } from './free-name.ts'
import { isDropBox } from './hand-in.ts'
import { discardBlobs } from './named-keys.ts'
import { presentChanged } from './present.ts'
import type { openUnderWay } from './under-way.ts'
import { type UploadDeps, type UploadInput, uploadFile } from './upload.ts'
import { openUploadFolders } from './upload-folders.ts'
import { addTogether, type SmallFile, smallFileOf } from './upload-group.ts'

export type UploadManyInput = ParsedInputOf<typeof endpoint>
type UploadManyDeps = Pick<Deps, UploadDeps>

/** After this many files, check again whether the actor may still upload. */
const confirmEvery = 50

/** A file that may be stored: its place in the request, its input as of a single upload, and its bytes. */
interface Ready {
  index: number
  input: UploadInput
  sent: SentFile
  /** Null if it needs a write of its own. */
  small: SmallFile | null
}

/** The result of each file, by its place in the request. */
type Outcomes = Map<number, FileDetails | AppError>

/**
 * Admits the files of a request: checks the folder once, and counts each file's bytes while they arrive. Throws
 * `not_found` and `forbidden` for the folder.
 */
export async function admitMany(
  { db, config, begin }: Pick<Deps, 'db' | 'config'> & { begin: ReturnType<typeof openUnderWay> },
  actor: Actor,
  input: UploadManyInput,
): Promise<ManyAdmission> {
  const { spaceId } = await findFolder(db, actor, input.parent_id ?? null, 'add')
  // While this one is open, the quota is read once for all files.
  const request = begin(spaceId, async () => 0)
  try {
    await request.readQuota()
  } catch (error) {
    request.end()
    throw error
  }
  return {
    admit: async ({ on_conflict = 'rename' }) => ({
      limit: config.maxFileSize,
      ...begin(spaceId, () => findReturned(db, spaceId, { on_conflict })),
    }),
    end: request.end,
  }
}

/** The input of a single upload of this file into a folder. */
const inputOf = ({ item }: SentFile, parentId: number | null): UploadInput => ({
  parent_id: parentId,
  name: item.name,
  metadata: item.metadata,
  on_conflict: item.on_conflict,
  modified_at: item.modified_at,
})

function checkContent({ item, blob }: SentFile): void {
  if (item.sha256 !== undefined && item.sha256 !== blob.sha256) {
    throw invalidField('sha256', 'The bytes that arrived have another SHA-256')
  }
}

/** Returns the reason why a file is refused. An unexpected one is logged, and does not stop the other files. */
function refusalOf({ log }: Pick<Deps, 'log'>, thrown: unknown): AppError {
  const refusal = toAppError(thrown)
  if (refusal.status >= 500) log.error({ err: refusal.cause ?? refusal }, refusal.message)
  return refusal
}

/** Finds or makes the folder of each file. What is refused here goes to `outcomes`. */
async function prepare(
  deps: UploadManyDeps,
  actor: Actor,
  input: UploadManyInput,
  items: readonly SentItem[],
  outcomes: Outcomes,
) {
  const folderOf = openUploadFolders(deps, actor, input.parent_id ?? null)
  const ready: Ready[] = []
  for (const [index, sent] of items.entries()) {
    try {
      if ('refusal' in sent) throw sent.refusal
      checkContent(sent)
      const own = inputOf(sent, await folderOf(sent.item.path ?? []))
      ready.push({ index, input: own, sent, small: smallFileOf(actor, own, sent.item.name, sent.blob) })
    } catch (error) {
      outcomes.set(index, refusalOf(deps, error))
    }
  }
  return ready
}

/**
 * Returns whether the name of a file is taken where it goes. One look-up for each folder answers for all of its files;
 * those in a drop box get other names. If a folder is gone, the writes say so.
 */
async function findTaken({ db }: UploadManyDeps, actor: Actor, ready: readonly Ready[]) {
  const folderOf = ({ input }: Ready): number | null => input.parent_id ?? null
  const taken = new Map<number | null, ReadonlySet<string>>()
  for (const [folder, files] of groupBy(ready, folderOf)) {
    const place = await findFolder(db, actor, folder, 'add').catch(() => null)
    if (place === null || isDropBox(place)) continue
    const names = files.map(({ sent }) => sent.item.name)
    taken.set(folder, await findTakenIn(db, place, names))
  }
  return (file: Ready): boolean => taken.get(folderOf(file))?.has(file.sent.item.name) === true
}

/**
 * Sets apart the files whose names are taken: what must not replace anything is refused without a write, and the others
 * get writes of their own, without a group being tried with them first.
 */
async function setTakenApart(deps: UploadManyDeps, actor: Actor, ready: readonly Ready[], outcomes: Outcomes) {
  const isTaken = await findTaken(deps, actor, ready)
  return ready.flatMap((one): Ready[] => {
    if (!isTaken(one)) return [one]
    const { on_conflict, metadata = [] } = one.input
    if (on_conflict !== 'fail' || metadata.length > 0) return [{ ...one, small: null }]
    outcomes.set(one.index, nameTaken(one.sent.item.name))
    return []
  })
}

async function storeAlone(deps: UploadManyDeps, actor: Actor, { input, sent }: Ready): Promise<FileDetails | AppError> {
  try {
    return await presentChanged(deps.db, actor, await uploadFile(deps, actor, input, sent.item.name, sent.blob))
  } catch (error) {
    return refusalOf(deps, error)
  }
}

/**
 * The small files at the front that can share a write: all of a request, if possible. Measured: writes of 32 take a fifth
 * more of the processor's time.
 */
function takeGroup(waiting: readonly Ready[]): SmallFile[] {
  const group: SmallFile[] = []
  for (const { small } of waiting) {
    if (small === null) break
    group.push(small)
  }
  return group
}

/**
 * Stores the files in their order: as many as possible in each write, up to the first one that needs a write of its
 * own.
 */
async function storeInOrder(deps: UploadManyDeps, actor: Actor, ready: readonly Ready[], outcomes: Outcomes) {
  let waiting = [...ready]
  let checked = 0
  while (waiting.length > 0) {
    if (ready.length - waiting.length >= checked + confirmEvery) {
      checked = ready.length - waiting.length
      await confirmActor(deps.db, actor, actor.permissions)
    }
    const group = takeGroup(waiting)
    const added = group.length === 0 ? [] : await addTogether(deps, group, true)
    const first = added.indexOf(null)
    const stored = first === -1 ? added.length : first
    for (const [at, file] of added.slice(0, stored).entries())
      outcomes.set(waiting[at]?.index as number, file as FileDetails)
    waiting = waiting.slice(stored)
    if (stored > 0 && stored === added.length) continue
    // If not even the first could be stored, the write has failed as a whole, and would again.
    const alone = waiting.splice(0, stored === 0 ? Math.max(1, group.length) : 1)
    for (const one of alone) outcomes.set(one.index, await storeAlone(deps, actor, one))
  }
}

function resultOf(index: number, outcome: FileDetails | AppError | undefined): UploadResult {
  if (!(outcome instanceof AppError)) return { index, ok: true, file: outcome as FileDetails }
  const { code, message, fields, retryAfter } = outcome
  return { index, ok: false, error: code, message, fields, retry_after: retryAfter }
}

/**
 * Stores the files of a request and returns a result for each, in the order of the request. Bytes of refused files are
 * removed. Throws if the actor's access ends meanwhile; what was stored before stays.
 */
export async function uploadMany(
  deps: UploadManyDeps,
  actor: Actor,
  input: UploadManyInput,
  items: readonly SentItem[],
): Promise<UploadResult[]> {
  const outcomes: Outcomes = new Map()
  const ready = await prepare(deps, actor, input, items, outcomes)
  await storeInOrder(deps, actor, await setTakenApart(deps, actor, ready, outcomes), outcomes).catch(error => {
    // The bytes of all files are discarded because of this error, also of one whose commit may be under way.
    throw [...outcomes.values()].find(mayBeCommitted) ?? error
  })
  const failed = items.flatMap((sent, index) => {
    const error = outcomes.get(index)
    return error instanceof AppError && 'blob' in sent ? [{ blob: sent.blob, error }] : []
  })
  await discardBlobs(deps, failed)
  return items.map((_, index) => resultOf(index, outcomes.get(index)))
}
