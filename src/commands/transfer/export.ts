/** `filestore export`: users' live files as plain trees on the disk, and beside each what a disk cannot keep. */
import { createWriteStream } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { nameProblem } from '../../api/names.ts'
import { AppError } from '../../base/errors.ts'
import { openLog } from '../../base/log.ts'
import type { Flags } from '../../config.ts'
import { readPages } from '../../db/read-on.ts'
import type { Deps } from '../../deps.ts'
import { findChildren } from '../../files/children.ts'
import { type DetailsRow, findLive } from '../../files/find.ts'
import { openContent } from '../../files/read.ts'
import { findValues } from '../../metadata/find.ts'
import { findItemTags, findTags } from '../../tags/find.ts'
import { findUsers, type ProfileRow } from '../../users/find.ts'
import { findNamedUser } from '../admin/names.ts'
import { withFiles } from '../open.ts'
import { tellAudit } from '../tell-audit.ts'
import { type DetailsWriter, detailsName, filesName, type ItemDetails, openDetails } from './details.ts'
import { findDrafts, newDraft, removeDrafts } from './drafts.ts'
import { type Report, reportOwn } from './failures.ts'
import { workSideBySide } from './side-by-side.ts'

const usersAtOnce = 100

/** What became of one user's files. */
export interface Exported {
  username: string
  /** Where the tree and its details lie. */
  folder: string
  files: number
  folders: number
  /** Of the files that were written. */
  bytes: number
  /** Files that an earlier export has left there as they still are. */
  unchanged: number
}

interface Run {
  deps: Deps
  userId: number
  spaceId: number
  /** The folder that holds the tree. */
  root: string
  details: DetailsWriter
  result: Exported
  report: Report
  signal: AbortSignal
}

interface ExportOptions {
  /** Only this user's, by name or as `id:7`. */
  user: string | undefined
  report: Report
  signal: AbortSignal
}

/** The username where it can be a folder's name, else the id, which is nobody's name then. */
const folderName = ({ id, username }: ProfileRow): string =>
  nameProblem(username) === null && !username.startsWith('id:') ? username : `id:${id}`

async function* findAllUsers({ db }: Deps): AsyncGenerator<ProfileRow> {
  const pages = readPages(db, {
    read: ([after]) => findUsers(db, String(after), usersAtOnce),
    keyOf: ({ username_key }) => [username_key],
    start: [''],
    size: usersAtOnce,
  })
  for await (const users of pages) yield* users
}

/** Whether a folder is a user's of an earlier export, also of one that was cut. */
async function isOfExport(folder: string): Promise<boolean> {
  const hasDetails = await lstat(join(folder, detailsName)).then(
    stats => stats.isFile(),
    () => false,
  )
  return hasDetails || (await findDrafts(folder).catch(() => [])).length > 0
}

/** Throws `invalid_input` for a folder that holds anything but an earlier export. */
async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (await isOfExport(join(folder, name))) continue
    throw new AppError('invalid_input', `${folder} holds '${name}', which is of no export: choose an empty folder`)
  }
}

const detailsOf = (row: DetailsRow, tags: string[], metadata: Record<string, string> | undefined): ItemDetails => ({
  ...(tags.length > 0 && { tags }),
  ...(metadata !== undefined && { metadata }),
  ...(row.is_favorite === 1 && { is_favorite: true }),
  ...(row.validation_status !== 'approved' && { validation_status: row.validation_status }),
  ...(row.validation_comment !== null && { validation_comment: row.validation_comment }),
})

/** Makes a folder of the tree. Throws `in_use` where a link stands in its place, which may lead elsewhere. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!(await lstat(folder)).isDirectory())
    throw new AppError('in_use', `${folder} is a link: nothing is written through it`)
}

/** Whether a name can be a file's; one that would lead elsewhere, which only a damaged database has, is told. */
function isUsable({ report }: Run, path: string, { name }: DetailsRow): boolean {
  const problem = nameProblem(name)
  if (problem === null) return true
  const error = new AppError('invalid_input', `${problem}: 'filestore fsck --repair' gives it another`)
  report({ path: path === '' ? name : `${path}/${name}`, error })
  return false
}

/** Yields the files of a folder (null: the root) and of all below it, making the folders on the way. */
async function* findFiles(
  run: Run,
  folderId: number | null,
  path: string,
): AsyncGenerator<{ row: DetailsRow; path: string }> {
  const { deps, userId, spaceId, details, result, report } = run
  const folder = join(run.root, path)
  await makeFolder(folder)
  await removeDrafts(folder)
  for await (const rows of findChildren(deps.db, spaceId, folderId)) {
    const ids = rows.map(({ id }) => id)
    const [tags, values] = [await findItemTags(deps.db, userId, ids), await findValues(deps.db, ids)]
    for (const row of rows) {
      run.signal.throwIfAborted()
      if (!isUsable(run, path, row)) continue
      const inside = join(path, row.name)
      const names = (tags.get(row.id) ?? []).map(({ name }) => name)
      await details.add(inside, detailsOf(row, names, values.get(row.id)))
      if (row.is_directory === 0) {
        yield { row, path: inside }
        continue
      }
      result.folders += 1
      try {
        yield* findFiles(run, row.id, inside)
      } catch (error) {
        reportPresent(report, inside, error)
      }
    }
  }
}

/** reportOwn, but for what was deleted since its folder was read: then it is not missing. */
function reportPresent(report: Report, path: string, error: unknown): void {
  if (!(error instanceof AppError && error.code === 'not_found')) reportOwn(report, path, error)
}

/** Whether a file is there with this size and time: an earlier export gave it both when it was whole. */
async function isThere(path: string, row: DetailsRow): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  // A disk may keep a time less exactly than it was given.
  const isSameTime = Math.abs((stats?.mtimeMs ?? 0) - timeOf(row)) < 2
  return stats?.isFile() === true && stats.size === row.size && isSameTime
}

const timeOf = (row: DetailsRow): number => row.modified_at ?? row.updated_at

/** A file whose content was replaced since its row was read is written as it is now. */
async function openNow({ deps, spaceId }: Run, row: DetailsRow) {
  try {
    return { row, content: await openContent(deps, row) }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error
    const now = await findLive(deps.db, spaceId, row.id)
    return { row: now, content: await openContent(deps, now) }
  }
}

/** Under its name it is there whole or not at all. */
async function writeWhole(run: Run, row: DetailsRow, path: string): Promise<number> {
  const draft = newDraft(dirname(path))
  const { row: now, content } = await openNow(run, row)
  try {
    if (Buffer.isBuffer(content)) await writeFile(draft, content, { flag: 'wx', mode: 0o600 })
    else await pipeline(content, createWriteStream(draft, { flags: 'wx', mode: 0o600 }), { signal: run.signal })
    const time = new Date(timeOf(now))
    await utimes(draft, time, time)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return now.size
}

async function exportFile(run: Run, row: DetailsRow, path: string): Promise<void> {
  const target = join(run.root, path)
  run.result.files += 1
  if (await isThere(target, row)) {
    run.result.unchanged += 1
    return
  }
  try {
    const written = await writeWhole(run, row, target)
    run.result.bytes += written
  } catch (error) {
    run.signal.throwIfAborted()
    run.result.files -= 1
    reportPresent(run.report, path, error)
  }
}

async function exportUser(
  deps: Deps,
  user: ProfileRow,
  folder: string,
  { report, signal }: ExportOptions,
): Promise<Exported> {
  const own = join(folder, folderName(user))
  await mkdir(own, { recursive: true, mode: 0o700 })
  const left = await findDrafts(own)
  const tags = (await findTags(deps.db, user.id)).map(({ name, color }) => ({ name, color }))
  const head = { username: user.username, exported_at: new Date().toISOString(), tags }
  const details = openDetails(join(own, detailsName), head)
  const result: Exported = { username: user.username, folder: own, files: 0, folders: 0, bytes: 0, unchanged: 0 }
  const { id: userId, space_id: spaceId } = user
  const run: Run = { deps, userId, spaceId, root: join(own, filesName), details, result, report, signal }
  try {
    await workSideBySide(findFiles(run, null, ''), ({ row, path }) => exportFile(run, row, path))
    await details.finish()
  } catch (error) {
    await details.breakOff()
    throw error
  } finally {
    // Also of a run that is cut: what it has written by then was taken all the same.
    const { username, folder, files, bytes } = result
    const failure = await tellAudit(deps.db, 'user.export', user.id, { username, folder, files, bytes })
    if (failure !== null) report({ path: username, error: failure })
  }
  // Not before: until the new details are there, they say whose this folder is.
  for (const path of left) await rm(path, { force: true })
  return result
}

/**
 * Writes the live files of one user or of all to a folder, which is made; one with an earlier export is brought up to
 * date, and keeps what is no longer there. `report` hears of items that cannot be written. Throws `invalid_input` for a
 * folder of somebody's own, `not_found` for the user, and what the disk says where it is full.
 */
export const exportTrees = (flags: Flags, folder: string, options: ExportOptions): Promise<Exported[]> =>
  withFiles(flags, async opened => {
    // What cannot be read is told by `report`, once and in a person's words.
    const deps = { ...opened, log: openLog('silent') }
    const users = options.user === undefined ? findAllUsers(deps) : [await findNamedUser(deps.db, options.user)]
    await prepareFolder(folder)
    const results: Exported[] = []
    for await (const user of users) results.push(await exportUser(deps, user, folder, options))
    return results
  })
