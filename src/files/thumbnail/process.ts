/** Runs the program that draws a thumbnail, and judges how it ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, systemCode } from '../../base/errors.ts'
import { findInDist } from '../../dist-folder.ts'
import { unreadable } from '../read.ts'
import { maxThumbnailBytes, tooCostlySignal, unreadableCode } from './limits.ts'

/** ms; long enough for what may take its share of processor time on a busy machine. */
const maxTime = 90_000
/** Bytes of what it says when it fails. */
const maxComplaint = 1024 ** 2

/** A decoder that crashes does so again with the same image. */
const crashSignals: readonly string[] = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', tooCostlySignal]
/** The program stopped reading; how it ended says why. */
const stoppedReading = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/** Nothing of the server's own environment, where secrets may stand; images stay in memory, not in temporary files. */
const env = { VIPS_DISC_THRESHOLD: '4g' }

/**
 * The WebP of an image, or null for one that can have none: no image, broken, too large, too costly. Throws
 * `unavailable` where it took too long for a reason that need not be the image's, `internal` where it cannot be read.
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

/** Hands the image over; gives back what failed in reading it. */
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
