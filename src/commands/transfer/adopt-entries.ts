/** Imports files of one local folder into one folder of a user's tree, a few dozen at a time. */
import * as z from 'zod/mini'
import type { Actor } from '../../access/actor.ts'
import { textBlock } from '../../api/fields.ts'
import { maxCommentLength, maxFileTags } from '../../api/limits.ts'
import { AppError, nameTaken } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Deps } from '../../deps.ts'
import { type AdoptedFile, adoptFiles, findNamed, type NamedItem } from '../../files/adopt.ts'
import { discardBlobs } from '../../files/named-keys.ts'
import { bytesOfValues, type CheckedValue, checkValues } from '../../metadata/values.ts'
import type { Switches } from '../../settings/find.ts'
import { type AdoptionMode, adoptBytes } from './adopt-bytes.ts'
import type { ItemDetails } from './details.ts'
import { type Report, reportOwn } from './failures.ts'
import { hashLocal } from './hash-local.ts'
import type { LocalEntry } from './local-entries.ts'
import { openUnlinked } from './open-unlinked.ts'
import type { Details } from './read-details.ts'
import { workSideBySide } from './side-by-side.ts'

/** How often files are tried again because somebody else took one of their names meanwhile. */
const maxTries = 5

/** The result of an import. */
export interface Imported {
  files: number
  folders: number
  bytes: number
  /** Files that already existed under their name, with the same content. */
  unchanged: number
}

export interface Importing {
  deps: Deps
  actor: Actor
  mode: AdoptionMode
  /** Only counts what would be imported. */
  isDry: boolean
  details: Details | undefined
  /** Ids of the user's tags by name. */
  tagIds: ReadonlyMap<string, number>
  /** Ids of metadata fields by name. */
  fieldIds: ReadonlyMap<string, number>
  switches: Switches
  result: Imported
  report: Report
  signal: AbortSignal
}

/**
 * Whether the item of the same name has the same content. The file is read to know, because other content may have the
 * same size and time.
 */
async function isSame(entry: LocalEntry, item: NamedItem, signal: AbortSignal): Promise<boolean> {
  if (item.is_directory === 1 || item.size !== entry.size) return false
  return (await hashLocal(await openUnlinked(entry.path), entry.size, signal)) === item.sha256
}

/** Returns the entries whose name is free; of two with the same name, the first. */
async function findNew(run: Importing, parentId: number | null | undefined, entries: readonly LocalEntry[]) {
  const { deps, actor, result, report, signal } = run
  const names = entries.map(({ name }) => name)
  // `parentId` is undefined for a folder that a dry run would have made, so it is empty.
  const known = parentId === undefined ? new Map() : await findNamed(deps.db, actor.root.spaceId, parentId, names)
  const chosen = new Map<string, LocalEntry>()
  for (const entry of entries) {
    try {
      const item: NamedItem | undefined = known.get(entry.name)
      if (item !== undefined && (await isSame(entry, item, signal))) result.unchanged += 1
      else if (item !== undefined || chosen.has(entry.name)) throw nameTaken(entry.name)
      else chosen.set(entry.name, entry)
    } catch (error) {
      reportOwn(report, entry.inside, error)
    }
  }
  return [...chosen.values()]
}

/**
 * Returns the values that are valid for existing fields. `report` gets the others, and the file is imported without
 * them.
 */
async function findFitting(run: Importing, inside: string, metadata: Record<string, string>): Promise<CheckedValue[]> {
  const { deps, fieldIds, switches, report } = run
  const fitting: CheckedValue[] = []
  for (const [name, value] of Object.entries(metadata)) {
    try {
      const field_id = fieldIds.get(name)
      if (field_id === undefined) throw new AppError('not_found', `There is no metadata field '${name}'`)
      fitting.push(...(await checkValues(deps.db, switches, [{ field_id, value }], bytesOfValues(fitting))))
    } catch (error) {
      reportOwn(report, inside, error)
    }
  }
  return fitting
}

/** Returns the ids of the tags that the user has, up to the limit of a file. `report` gets how many were left out. */
function findTagIds({ tagIds, report }: Importing, inside: string, tags: readonly string[]): number[] {
  const ids = tags.flatMap(tag => tagIds.get(tag) ?? [])
  const excess = ids.length - maxFileTags
  if (excess > 0) {
    const message = `A file can have at most ${maxFileTags} tags: it comes without ${excess} of them`
    report({ path: inside, error: new AppError('invalid_input', message) })
  }
  return ids.slice(0, maxFileTags)
}

const commentForm = z.object({ comment: textBlock('Comment', maxCommentLength) })

/** Returns the comment of a decision; null if there is none, or if no reviewer could have given it, which is reported. */
function findComment({ report }: Importing, inside: string, { validation_comment: comment }: ItemDetails) {
  if (comment === undefined) return null
  try {
    return parseInput(commentForm, { comment }).comment || null
  } catch (error) {
    reportOwn(report, inside, error)
    return null
  }
}

async function adoptOne(run: Importing, entry: LocalEntry): Promise<AdoptedFile> {
  const { tags = [], metadata = {}, ...own }: ItemDetails = (await run.details?.find(entry.inside)) ?? {}
  const values = await findFitting(run, entry.inside, metadata)
  return {
    name: entry.name,
    blob: await adoptBytes(run.deps.store, entry, run.mode, run.signal),
    modifiedAt: entry.modifiedAt,
    status: own.validation_status ?? 'approved',
    comment: findComment(run, entry.inside, own),
    isFavorite: own.is_favorite ?? false,
    tagIds: findTagIds(run, entry.inside, tags),
    values,
  }
}

const removeBytes = ({ deps }: Importing, files: readonly AdoptedFile[], error: unknown): Promise<void> =>
  discardBlobs(
    deps,
    files.map(({ blob }) => ({ blob, error })),
  )

/** Writes the rows of the files. Returns false if somebody else has taken one of the names since it was found free. */
async function writeTogether(run: Importing, parentId: number | null, files: readonly AdoptedFile[]): Promise<boolean> {
  if (files.length === 0) return true
  try {
    await run.deps.freeSpace.admit(0, bytesOfValues(files.flatMap(({ values }) => values ?? [])))
    await adoptFiles(run.deps, run.actor, parentId, files)
    return true
  } catch (error) {
    await removeBytes(run, files, error)
    if (error instanceof AppError && error.code === 'name_taken') return false
    throw error
  }
}

async function readTogether(run: Importing, entries: readonly LocalEntry[]): Promise<AdoptedFile[]> {
  const files: AdoptedFile[] = []
  try {
    await workSideBySide(entries, async entry => {
      run.signal.throwIfAborted()
      try {
        files.push(await adoptOne(run, entry))
      } catch (error) {
        run.signal.throwIfAborted()
        reportOwn(run.report, entry.inside, error)
      }
    })
    return files
  } catch (error) {
    await removeBytes(run, files, error)
    throw error
  }
}

/**
 * Imports files into a folder (null: the root; undefined: one that a dry run would have made). Existing items stay as
 * they are. Throws failures that concern all of them: `quota_exceeded`, `storage_full`.
 */
export async function adoptEntries(
  run: Importing,
  parentId: number | null | undefined,
  entries: readonly LocalEntry[],
  tries = 1,
): Promise<void> {
  const fresh = await findNew(run, parentId, entries)
  const bytes = fresh.reduce((sum, { size }) => sum + size, 0)
  const copied = run.mode === 'copy' ? bytes : 0
  if (!run.isDry) await run.deps.freeSpace.admit(copied, copied)
  const files = run.isDry ? [] : await readTogether(run, fresh)
  if (parentId !== undefined && !(await writeTogether(run, parentId, files))) {
    if (tries === maxTries) throw new AppError('unavailable', 'The folder changes all the time, try again later')
    return adoptEntries(run, parentId, fresh, tries + 1)
  }
  run.result.files += run.isDry ? fresh.length : files.length
  run.result.bytes += run.isDry ? bytes : files.reduce((sum, { blob }) => sum + blob.size, 0)
}
