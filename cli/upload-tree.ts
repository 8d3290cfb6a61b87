/** Uploads what a local path leads to: a file, a stream, or a folder with all that is in it. */
import { createReadStream, type Dirent, type Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '../src/api/client.ts'
import { type ConflictRule, createFolder } from '../src/api/files.ts'
import type { FileItem } from '../src/api/items.ts'
import type { Attempts } from './attempts.ts'
import type { Server } from './client.ts'
import { findLocal, requireLocal } from './local-path.ts'
import { printNotice } from './output.ts'
import type { Progress } from './progress.ts'
import { fileSource, type Source, sendFile } from './upload-file.ts'

/** What one run of the command carries along. */
export interface UploadRun {
  server: Server
  /** For calls that may be made twice. */
  callRepeatable: Call
  onConflict: ConflictRule
  attempts: Attempts
  progress: Progress
  /** Everything that was made, in order; grows as the run goes on. */
  items: FileItem[]
}

interface Place {
  name: string
  /** Null is the root. */
  parentId: number | null
}

/** Where `-` reads from. */
export const stdinSource: Source = {
  label: 'standard input',
  size: undefined,
  modifiedAt: undefined,
  open: () => process.stdin,
}

/** A pipe or device that was named outright, as `<(command)` does, is read like standard input. */
const sourceOf = (path: string, stats: Stats): Source =>
  stats.isFile()
    ? fileSource(path, stats.size, stats.mtime)
    : { label: path, size: undefined, modifiedAt: undefined, open: () => createReadStream(path) }

/** Uploads one source and notes what came of it. */
export async function uploadSource(run: UploadRun, source: Source, place: Place): Promise<void> {
  const { server, progress, onConflict } = run
  const file = await sendFile(
    server,
    source,
    { ...place, onConflict },
    () => progress.start(source.label, source.size),
    progress.add,
  )
  run.items.push(file)
  if (file.name !== place.name.normalize('NFC')) {
    printNotice(`'${source.label}' is stored as '${file.name}', for its name was taken`)
  }
}

/** Links to folders are left out, for they may lead in circles; so are sockets, pipes and devices. */
async function isLeftOut(path: string, entry: Dirent): Promise<boolean> {
  if (entry.isSymbolicLink()) return (await findLocal(path))?.isFile() !== true
  return !entry.isFile() && !entry.isDirectory()
}

async function uploadFolder(run: UploadRun, path: string, place: Place): Promise<void> {
  const input = { name: place.name, parent_id: place.parentId, exist_ok: true }
  const { file: folder } = await run.callRepeatable(createFolder, input)
  run.items.push(folder)
  const entries = await readdir(path, { withFileTypes: true })
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of entries) {
    const child = join(path, entry.name)
    await run.attempts.run(child, async () => {
      if (await isLeftOut(child, entry))
        return printNotice(`Left out '${child}': no file or folder (links to folders are not followed)`)
      await uploadPath(run, child, { name: entry.name, parentId: folder.id })
    })
  }
}

/** Uploads a path. Failures inside a folder are noted as their own attempts. */
export async function uploadPath(run: UploadRun, path: string, place: Place): Promise<void> {
  const stats = await requireLocal(path)
  if (stats.isDirectory()) return uploadFolder(run, path, place)
  await uploadSource(run, sourceOf(path, stats), place)
}
