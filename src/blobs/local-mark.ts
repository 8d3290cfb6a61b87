/** The mark of the local store: a small file next to the blobs. */
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../base/sync-folder.ts'
import type { StoreMark } from './blob-store.ts'
import { ignoreForeign, readFlags } from './local-access.ts'

const markOf = (folder: string): string => join(folder, 'store-id')

export async function readMark(folder: string): Promise<StoreMark | null> {
  const text = await readFile(markOf(folder), { encoding: 'utf8', flag: readFlags }).catch(ignoreForeign)
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
