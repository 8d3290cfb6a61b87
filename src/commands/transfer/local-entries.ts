/** Reads a folder of this machine's disk entry by entry, and reports entries that cannot be imported. */
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { isComposable, manyMarks, nameProblem } from '../../api/names.ts'
import { AppError } from '../../base/errors.ts'
import { isDraft } from './drafts.ts'
import { type Report, reportOwn } from './failures.ts'
import { openUnlinked, pathOfOpen } from './open-unlinked.ts'

export interface LocalEntry {
  /** The name that it gets in filestore. */
  name: string
  /** Path on the disk. */
  path: string
  /** Path below the imported folder. */
  inside: string
  isDirectory: boolean
  size: number
  /** Whole ms, UTC. */
  modifiedAt: number
}

/** Decodes a name. Throws `invalid_input` if filestore does not allow it. */
function nameOf(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) throw new AppError('invalid_input', 'Name is not UTF-8')
  if (!isComposable(text)) throw new AppError('invalid_input', manyMarks)
  const name = text.normalize('NFC')
  const problem = nameProblem(name)
  if (problem !== null) throw new AppError('invalid_input', problem)
  return name
}

async function describe(folder: string, inside: string, bytes: Buffer): Promise<LocalEntry> {
  const name = nameOf(bytes)
  const path = join(folder, bytes.toString('utf8'))
  const stats = await lstat(path)
  if (stats.isFile() || stats.isDirectory()) {
    const modifiedAt = Math.floor(stats.mtimeMs)
    return { name, path, inside: join(inside, name), isDirectory: stats.isDirectory(), size: stats.size, modifiedAt }
  }
  throw new AppError('invalid_input', 'Neither file nor folder; links are not followed')
}

/**
 * Yields the files and folders of a folder, whose path is real, in the disk's own order, without drafts. `report` gets
 * the rest. Throws as `openUnlinked`.
 */
export async function* readEntries(folder: string, inside: string, report: Report): AsyncGenerator<LocalEntry> {
  const opened = await openUnlinked(folder)
  try {
    // Read names as bytes, because not every name on a disk is UTF-8. Node's types do not know this encoding.
    const options = { encoding: 'buffer' as never }
    const entries = (await opendir(pathOfOpen(opened, folder), options)) as AsyncIterable<unknown>
    for await (const { name } of entries as AsyncIterable<{ name: Buffer }>) {
      if (isDraft(name.toString('utf8'))) continue
      try {
        yield await describe(folder, inside, name)
      } catch (error) {
        reportOwn(report, join(inside, name.toString('utf8')), error)
      }
    }
  } finally {
    await opened.close()
  }
}
