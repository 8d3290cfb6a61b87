/** `filestore export`: writes live files as plain trees on the disk, with a file of details beside each. */
import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { InTransit } from '../../access/transit.ts'
import { nameProblem } from '../../api/names.ts'
import { AppError, systemCode } from '../../base/errors.ts'
import { openLog } from '../../base/log.ts'
import { makeFolder } from '../../base/make-folder.ts'
import type { Flags } from '../../config-options.ts'
import type { Deps } from '../../deps.ts'
import { findChildren } from '../../files/children.ts'
import type { DetailsRow } from '../../files/item-row.ts'
import { findValues } from '../../metadata/find.ts'
import { findItemTags } from '../../tags/find.ts'
import { findNamedUser } from '../admin/names.ts'
import { withFiles } from '../open.ts'
import { type DetailsWriter, detailsName, filesName, type ItemDetails, openDetails } from './details.ts'
import { findDrafts, removeDrafts } from './drafts.ts'
import { type Report, reportOwn } from './failures.ts'
import { inFolder } from './open-unlinked.ts'
import { workSideBySide } from './side-by-side.ts'
import { findSources, openUserSource, type Source } from './sources.ts'
import { reportUnreachable } from './unreachable.ts'
import { isThere, writeWhole } from './write-file.ts'

/** The result for one user or team folder: exactly one of the two is set. */
export interface Exported {
  username: string | null
  team: string | null
  /** The folder with the tree and its details. */
  folder: string
  files: number
  folders: number
  /** Bytes of the files that were written. */
  bytes: number
  /** Files that an earlier export has written and that have not changed since. */
  unchanged: number
}

interface Run {
  deps: Deps
  source: Source
  spaceId: number
  /** The folder that holds the tree. */
  root: string
  details: DetailsWriter
  result: Exported
  report: Report
  signal: AbortSignal
}

interface ExportOptions {
  /** Exports only this user, given by name or as `id:7`. */
  user: string | undefined
  report: Report
  signal: AbortSignal
}

/** Whether a folder, or what a link in its place leads to, is of an earlier export, complete or interrupted. */
async function isOfExport(folder: string): Promise<boolean> {
  const hasDetails = await lstat(join(folder, detailsName)).then(
    stats => stats.isFile(),
    () => false,
  )
  return hasDetails || (await findDrafts(folder).catch(() => [])).length > 0
}

/** Creates the folder. Throws `invalid_input` if it holds anything but an earlier export. */
async function prepareFolder(folder: string): Promise<void> {
  await makeFolder(folder)
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

/** A link or a file stands in the place of a folder of the export. A link may lead anywhere. */
class NoFolder extends AppError {
  constructor(folder: string, isLink: boolean) {
    super('in_use', isLink ? `${folder} is a link: nothing is written through it` : `${folder} is no folder`)
  }
}

/** Creates a folder of the export if it is missing. Throws `NoFolder` if something else is there. */
const makeSubfolder = (folder: string): Promise<void> =>
  inFolder(dirname(folder), async at => {
    const place = join(at, basename(folder))
    const found = await lstat(place).catch(error => {
      if (systemCode(error) === 'ENOENT') return null
      throw error
    })
    if (found === null) await mkdir(place, { mode: 0o700 })
    else if (!found.isDirectory()) throw new NoFolder(folder, found.isSymbolicLink())
  })

/** Whether a name can be a file's. Reports a name that would lead elsewhere, which only a damaged database has. */
function isUsable({ report }: Run, path: string, { name }: DetailsRow): boolean {
  const problem = nameProblem(name)
  if (problem === null) return true
  const error = new AppError('invalid_input', `${problem}: 'filestore fsck --repair' gives it another`)
  report({ path: path === '' ? name : `${path}/${name}`, error })
  return false
}

/** Yields the files of a folder (null: the root) and of all folders below it, and creates the folders on the way. */
async function* findFiles(
  run: Run,
  folderId: number | null,
  path: string,
): AsyncGenerator<{ row: DetailsRow; path: string }> {
  const { deps, spaceId, details, result, report } = run
  const { userId } = run.source
  const folder = join(run.root, path)
  await makeSubfolder(folder)
  await inFolder(folder, removeDrafts)
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

/** Like `reportOwn`, but ignores items that were deleted after their folder was read. */
function reportPresent(report: Report, path: string, error: unknown): void {
  if (!(error instanceof AppError && error.code === 'not_found')) reportOwn(report, path, error)
}

async function exportFile(run: Run, row: DetailsRow, path: string): Promise<void> {
  const folder = dirname(join(run.root, path))
  run.result.files += 1
  try {
    await inFolder(folder, async at => {
      const target = join(at, row.name)
      if (await isThere(target, row, run.signal)) {
        run.result.unchanged += 1
        return
      }
      const written = await writeWhole(run, row, target)
      run.result.bytes += written
    })
  } catch (error) {
    run.signal.throwIfAborted()
    run.result.files -= 1
    reportPresent(run.report, path, error)
  }
}

async function exportSource(
  deps: Deps,
  source: Source,
  folder: string,
  { report, signal }: ExportOptions,
): Promise<Exported> {
  const own = join(folder, source.folder)
  await makeSubfolder(own)
  return inFolder(own, async at => {
    const left = await findDrafts(at)
    const { username, team, tags } = source
    const head = { username: username ?? source.folder, exported_at: new Date().toISOString(), tags }
    const details = openDetails(join(at, detailsName), head)
    const result: Exported = { username, team, folder: own, files: 0, folders: 0, bytes: 0, unchanged: 0 }
    const run: Run = {
      deps,
      source,
      spaceId: source.spaceId,
      root: join(own, filesName),
      details,
      result,
      report,
      signal,
    }
    try {
      await workSideBySide(findFiles(run, source.rootId, ''), ({ row, path }) => exportFile(run, row, path))
      await details.finish()
    } catch (error) {
      await details.breakOff()
      throw error
    } finally {
      // Record an interrupted run too, because what it has written so far has left the server.
      const { files, bytes } = result
      const failure = await source.tell({ folder: own, files, bytes })
      if (failure !== null) report({ path: source.folder, error: failure })
    }
    // Remove the drafts last: until the new details exist, they mark this folder as an export.
    for (const path of left) await rm(path, { force: true })
    return result
  })
}

/** Like `exportSource`. Reports a source in transit, or without a folder in the place of one, and returns nothing of it. */
const exportOrReport = (deps: Deps, source: Source, folder: string, options: ExportOptions): Promise<Exported[]> =>
  exportSource(deps, source, folder, options).then(
    result => [result],
    error => {
      if (!(error instanceof NoFolder || error instanceof InTransit)) throw error
      options.report({ path: source.folder, error })
      return []
    },
  )

/**
 * Writes the live files of one user, or of all users and team folders, to a folder, and creates it. An earlier export in
 * it is brought up to date, and keeps items that were deleted since. `report` gets the items that cannot be written or
 * reached. Throws `invalid_input` if the folder holds anything else, `not_found` for the user, and the system's error if
 * the disk is full.
 */
export const exportTrees = (flags: Flags, folder: string, options: ExportOptions): Promise<Exported[]> =>
  withFiles(flags, async opened => {
    // `report` already tells the person what cannot be read, so do not log it as well.
    const deps = { ...opened, log: openLog('silent') }
    const sources =
      options.user === undefined
        ? findSources(deps)
        : [await openUserSource(deps, await findNamedUser(deps.db, options.user))]
    await prepareFolder(folder)
    // Nothing below is reached through a link.
    const real = await realpath(folder)
    const results: Exported[] = []
    for await (const source of sources) results.push(...(await exportOrReport(deps, source, real, options)))
    if (options.user === undefined) await reportUnreachable(deps.db, options.report)
    return results
  })
