/** The mark of the local store: a small file next to the blobs. */
import { randomUUID } from 'node:crypto'
import { lstat, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NoFileError, readText } from '../base/read-text.ts'
import { syncFolder } from '../base/sync-folder.ts'
import type { StoreMark } from './blob-store.ts'
import { ignoreMissing } from './local-access.ts'

const markOf = (folder: string): string => join(folder, 'store-id')

/** Ignores that there is no mark: no file, or something else in its place, which `saveMark` replaces. */
function ignoreNoMark(error: unknown): undefined {
  if (!(error instanceof NoFileError)) ignoreMissing(error)
}

/** Only a folder cannot be replaced. */
const isFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(ignoreMissing))?.isDirectory() === true

export async function readMark(folder: string): Promise<StoreMark | null> {
  const text = await readText(markOf(folder)).catch(ignoreNoMark)
  const [id = Number.NaN, sweeps = Number.NaN] = text?.split(' ').map(Number) ?? []
  return Number.isNaN(id + sweeps) ? null : { id, sweeps }
}

export async function saveMark(folder: string, { id, sweeps }: StoreMark): Promise<void> {
  // Each call writes its own draft, because two servers on one MariaDB may start a sweep at the same time.
  const draft = `${markOf(folder)}.${randomUUID()}`
  await writeFile(draft, `${id} ${sweeps}\n`, { mode: 0o600, flush: true, flag: 'wx' })
  if (await isFolder(markOf(folder))) await rename(markOf(folder), `${markOf(folder)}.${randomUUID()}`)
  await rename(draft, markOf(folder))
  await syncFolder(folder)
}
