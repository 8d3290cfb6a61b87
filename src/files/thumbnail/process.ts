/** Runs the program that draws a thumbnail, and interprets its exit. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, systemCode } from '../../base/errors.ts'
import { findInDist } from '../../dist-folder.ts'
import { unreadable } from '../read.ts'
import { maxThumbnailBytes, tooCostlySignal, unreadableCode } from './limits.ts'

/** ms; enough for the allowed CPU time on a busy machine. */
const maxTime = 90_000
/** The most bytes of error output. */
const maxComplaint = 1024 ** 2

/** After these signals a retry is useless: the decoder would crash again on the same image. */
const crashSignals: readonly string[] = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', tooCostlySignal]
/** Errors of a closed pipe: the program stopped reading, and its exit says why. */
const stoppedReading = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/** None of the server's environment, which may contain secrets. Images stay in memory instead of temporary files. */
const env = { VIPS_DISC_THRESHOLD: '4g' }

/**
 * The WebP of an image; null for one that cannot have one: no image, broken, too large, too costly. Throws
 * `unavailable` when it took too long, which need not be the image's fault, and `internal` when the image cannot be
 * read.
 */
export async function drawThumbnail(image: Readable | Buffer): Promise<Buffer | null> {
  const child = spawn(process.execPath, [findInDist('draw-thumbnail.js')], { env, stdio: 'pipe' })
  let isLate = false
  const alarm = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, maxTime)
  try {
    const [output, said, problem, [code, signal]] = await Promise.all([
      collect(child, child.stdout, maxThumbnailBytes),
      collect(child, child.stderr, maxComplaint),
      feed(child, image),
      once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    ])
    if (problem !== null) throw unreadable(problem)
    if (code === 0) return output
    if (code === unreadableCode || crashSignals.includes(signal ?? '')) return null
    if (isLate) throw new AppError('unavailable', 'The server is busy, try again later', { retryAfter: 30 })
    throw new Error(`drawing a thumbnail ended with ${signal ?? code}: ${said.toString().slice(0, 1000)}`)
  } finally {
    clearTimeout(alarm)
  }
}

/** Sends the image to the program; returns the error of reading the image, if any. */
async function feed(child: ChildProcess & { stdin: NodeJS.WritableStream }, image: Readable | Buffer) {
  try {
    await pipeline(Buffer.isBuffer(image) ? Readable.from([image]) : image, child.stdin)
    return null
  } catch (error) {
    if (stoppedReading.has(systemCode(error) ?? '')) return null
    child.kill('SIGKILL')
    return error
  }
}

async function collect(child: ChildProcess, output: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of output as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) child.kill('SIGKILL')
    else chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
