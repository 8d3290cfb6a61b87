/** `filestore import`: imports a tree on the disk into a user's files. */
import { lstat, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Actor, terminalActorFor } from '../../access/actor.ts'
import { createTag as newTag } from '../../api/tags.ts'
import { AppError, notFound, systemCode } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Flags } from '../../config-options.ts'
import type { Database } from '../../db/database.ts'
import { findNamed } from '../../files/adopt.ts'
import { favoriteFile } from '../../files/favorites.ts'
import { findAtPath } from '../../files/find.ts'
import { createFolder } from '../../files/folders.ts'
import { findFields } from '../../metadata/find.ts'
import { findSwitches } from '../../settings/find.ts'
import { findTagNames } from '../../tags/find.ts'
import { createTag } from '../../tags/tags.ts'
import { findNamedUser } from '../admin/names.ts'
import { withHold } from '../backup/hold.ts'
import { refuseForeign, withFiles } from '../open.ts'
import { tellAudit } from '../tell-audit.ts'
import type { AdoptionMode } from './adopt-bytes.ts'
import { adoptEntries, type Imported, type Importing } from './adopt-entries.ts'
import { type DetailsHead, detailsName, filesName } from './details.ts'
import { findDrafts } from './drafts.ts'
import { type Report, reportOwn } from './failures.ts'
import { type LocalEntry, readEntries } from './local-entries.ts'
import { type Details, isDetailsFile, readDetails } from './read-details.ts'

/** Files per write. */
const filesAtOnce = 32

interface ImportOptions {
  /** Name of the user, or `id:7`. */
  user: string
  /** Path of an existing folder of the user. */
  to: string
  mode: AdoptionMode
  isDry: boolean
  report: Report
  signal: AbortSignal
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(error => {
    if (systemCode(error) !== 'ENOENT') throw error
  })
  return stats?.isDirectory() === true
}

/**
 * Opens a user's folder in an export, or any other folder. Throws `invalid_input` if there is none, or for an export
 * that was interrupted.
 */
async function openSource(folder: string): Promise<{ tree: string; details: Details | undefined }> {
  if (!(await isFolder(folder))) throw new AppError('invalid_input', `There is no folder '${folder}'`)
  const tree = join(folder, filesName)
  const details = join(folder, detailsName)
  if (await isFolder(tree)) {
    if (await isDetailsFile(details)) return { tree, details: await readDetails(details) }
    for (const draft of await findDrafts(folder)) {
      if (!(await isDetailsFile(draft))) continue
      const advice = `make it again, or import ${tree}, which has no details`
      throw new AppError('invalid_input', `${folder} is an export that was cut: ${advice}`)
    }
  }
  return { tree: folder, details: undefined }
}

async function findTarget(db: Database, spaceId: number, path: string): Promise<number | null> {
  if (path.split('/').every(name => name === '')) return null
  const item = await findAtPath(db, spaceId, null, path)
  if (item === undefined) throw notFound('File')
  if (item.is_directory === 0) throw new AppError('invalid_input', `'${path}' is not a folder`)
  return item.id
}

/**
 * Returns the ids of the user's tags by name. Creates missing tags of an export, and `report` gets those that cannot be
 * created.
 */
async function prepareTags(
  db: Database,
  actor: Actor,
  wanted: DetailsHead['tags'],
  { isDry, report, signal }: Pick<ImportOptions, 'isDry' | 'report' | 'signal'>,
): Promise<Map<string, number>> {
  const ids = new Map((await findTagNames(db, actor.userId)).map(({ id, name }) => [name, id]))
  for (const tag of isDry ? [] : wanted) {
    signal.throwIfAborted()
    if (ids.has(tag.name)) continue
    try {
      ids.set(tag.name, await createTag(db, actor, parseInput(newTag.input, tag)))
    } catch (error) {
      reportOwn(report, `tag '${tag.name}'`, error)
    }
  }
  return ids
}

/**
 * Opens a folder by name in another folder, and creates it if it is missing. Returns its id, or undefined if a dry run
 * would create it.
 */
async function openFolder(run: Importing, parentId: number | null | undefined, { name, inside }: LocalEntry) {
  const { deps, actor, result } = run
  if (run.isDry) {
    const known = parentId === undefined ? undefined : await findNamed(deps.db, actor.root.spaceId, parentId, [name])
    const id = known?.get(name)?.id
    if (id === undefined) result.folders += 1
    return id
  }
  const { id, isNew } = await createFolder(deps.db, actor, { name, parent_id: parentId ?? null, exist_ok: true })
  if (isNew) result.folders += 1
  if (isNew && (await run.details?.find(inside))?.is_favorite) await favoriteFile(deps.db, actor, id, true)
  return id
}

/** Imports a whole local folder into a folder of the tree. `id` is the same as `parentId` of `adoptEntries`. */
async function importFolder(
  run: Importing,
  id: number | null | undefined,
  path: string,
  inside: string,
): Promise<void> {
  const folders: LocalEntry[] = []
  let batch: LocalEntry[] = []
  for await (const entry of readEntries(path, inside, run.report)) {
    run.signal.throwIfAborted()
    if (entry.isDirectory) folders.push(entry)
    else batch.push(entry)
    if (batch.length < filesAtOnce) continue
    await adoptEntries(run, id, batch)
    batch = []
  }
  await adoptEntries(run, id, batch)
  for (const folder of folders) {
    try {
      await importFolder(run, await openFolder(run, id, folder), folder.path, folder.inside)
    } catch (error) {
      run.signal.throwIfAborted()
      reportOwn(run.report, folder.inside, error)
    }
  }
}

/**
 * Imports the contents of a folder into a user's tree, approved unless an export's details say otherwise. A repeated
 * call continues. `report` gets the items that cannot be imported. Throws `not_found` for user and target,
 * `invalid_input` for the folder, and `quota_exceeded`; items that were imported before stay.
 */
export const importTree = (flags: Flags, folder: string, options: ImportOptions): Promise<Imported> =>
  withFiles(flags, async deps => {
    const { db, store } = deps
    refuseForeign(store)
    const { user, to, ...others } = options
    const { tree, details } = await openSource(folder)
    const { id, space_id, username } = await findNamedUser(db, user)
    const actor = terminalActorFor(id, space_id)
    const target = await findTarget(db, space_id, to)
    const tagIds = await prepareTags(db, actor, details?.tags ?? [], options)
    const fieldIds = new Map((await findFields(db)).map(field => [field.name, field.id]))
    const result: Imported = { files: 0, folders: 0, bytes: 0, unchanged: 0 }
    const known = { details, tagIds, fieldIds, switches: await findSwitches(db) }
    const source = await realpath(tree)
    const run = () => importFolder({ deps, actor, result, ...known, ...others }, target, source, '')
    // A linked file keeps its old time, so until its row exists it looks like a leftover of a crash.
    try {
      await (options.mode === 'link' ? withHold(deps, run) : run())
    } finally {
      const { files, folders, bytes } = result
      const detail = { username, folder: resolve(folder), to, files, folders, bytes }
      const failure = options.isDry ? null : await tellAudit(db, 'user.import', id, detail)
      if (failure !== null) options.report({ path: username, error: failure })
    }
    return result
  })
