/** The mark of the local store: a small file next to the blobs. */
import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../base/errors.ts'
import { NoFileError, readText } from '../base/read-text.ts'
import { syncFolder } from '../base/sync-folder.ts'
import type { StoreMark } from './blob-store.ts'
import { ignoreForeign } from './local-access.ts'

const markOf = (folder: string): string => join(folder, 'store-id')

/** Throws `invalid_input` if a folder or a pipe has the name of the mark: no mark could take its place. */
function refuseNoFile(error: unknown): undefined {
  if (!(error instanceof NoFileError)) return ignoreForeign(error)
  throw new AppError('invalid_input', `${error.message}: move it elsewhere, it is the place of the store's mark`)
}

export async function readMark(folder: string): Promise<StoreMark | null> {
  const text = await readText(markOf(folder)).catch(refuseNoFile)
  const [id = Number.NaN, sweeps = Number.NaN] = text?.split(' ').map(Number) ?? []
  return Number.isNaN(id + sweeps) ? null : { id, sweeps }
}

export async function saveMark(folder: string, { id, sweeps }: StoreMark): Promise<void> {
  // Each call writes its own draft, because two servers on one MariaDB may start a sweep at the same time.
  const draft = `${markOf(folder)}.${randomUUID()}`
  await writeFile(draft, `${id} ${sweeps}\n`, { mode: 0o600, flush: true, flag: 'wx' })
  await rename(draft, markOf(folder))
  await syncFolder(folder)
}
