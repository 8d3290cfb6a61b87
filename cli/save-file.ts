/** Writes a download to its place in one step: a temporary file beside it, then a rename. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, realpath, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { reachPath } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'
import { findLocal, requireLocal } from './local-path.ts'

/** Bytes that may wait for the disk while more come in; measured, half again as fast as one piece after the other. */
const writeAhead = 1024 ** 2

interface Saving {
  content: AsyncIterable<Uint8Array>
  /** The file's own time, put back as its modification time. */
  modifiedAt: Date | undefined
  signal: AbortSignal
}

/** The file itself behind a link, and the mode that it is to keep, if it is there. Throws `usage` for what is no regular file. */
async function resolveTarget(path: string): Promise<{ file: string; mode: number | undefined }> {
  const existing = await findLocal(path)
  if (existing === undefined) {
    await requireLocal(dirname(path))
    return { file: reachPath(path), mode: undefined }
  }
  if (!existing.isFile()) {
    throw new CommandError('usage', `'${path}' is not a regular file; '-' writes to standard output`)
  }
  return { file: await realpath(reachPath(path)), mode: existing.mode & 0o777 }
}

/** Saves the content under a path, in place of a file that is there. Whatever fails leaves everything as it was. */
export async function saveFile(path: string, { content, modifiedAt, signal }: Saving): Promise<void> {
  const { file, mode } = await resolveTarget(path)
  const draft = join(dirname(file), `.filestore-${randomUUID()}.part`)
  try {
    const target = createWriteStream(draft, {
      flags: 'wx',
      mode: mode ?? 0o666,
      flush: true,
      highWaterMark: writeAhead,
    })
    await pipeline(content, target, { signal })
    // The mode that a file is made with loses what the umask takes.
    if (mode !== undefined) await chmod(draft, mode)
    if (modifiedAt !== undefined) await utimes(draft, new Date(), modifiedAt)
    signal.throwIfAborted()
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError('unexpected', `Cannot write '${path}': ${error.message}`, { cause: error })
  }
}
