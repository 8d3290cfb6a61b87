/**
 * A separate program that turns an image into a WebP thumbnail. Decoders run native code on untrusted input: they may
 * crash, fill the memory or never end (an SVG with filters blocks a thread for minutes, and sharp's own timeout does
 * not stop it). In a process of its own that cannot harm the server.
 */
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import type Sharp from 'sharp'
import { maxImagePixels, thumbnailSize } from '../../api/limits.ts'
import { maxMemory, maxProcessorTime, maxThumbnailBytes, tooCostlySignal, unreadableCode } from './limits.ts'

/** Measured: to import its modules takes 75 ms longer, as much as all the rest of a small image. */
const sharp: typeof Sharp = createRequire(import.meta.url)('sharp')

/** Decoders that are maintained for hostile input. None of them loads anything but the image. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff', 'Svg'].map(name => `VipsForeignLoad${name}`)

/** Requests have priority. */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders })

setInterval(() => {
  const { user, system } = process.cpuUsage()
  const isTooCostly = user + system > maxProcessorTime || process.memoryUsage.rss() > maxMemory
  if (isTooCostly) process.kill(process.pid, tooCostlySignal)
}, 20).unref()

/** Reads the image with at most twice its size of memory; `buffer()` of node:stream takes four times as much. */
async function readImage(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Draws the first frame, upright, and without the original's metadata, which may contain the location. */
const draw = (image: Buffer): Promise<Buffer> =>
  sharp(image, { limitInputPixels: maxImagePixels, failOn: 'error', autoOrient: true })
    .resize(thumbnailSize, thumbnailSize, { fit: 'inside', withoutEnlargement: true })
    .webp()
    .toBuffer()

/**
 * Shrinks a thumbnail of noise, which hardly compresses: lower quality first, then half the width, which always fits.
 */
async function shrink(drawn: Buffer): Promise<Buffer> {
  for (const size of [thumbnailSize, thumbnailSize / 2]) {
    const smaller = await sharp(drawn)
      .resize(size, size, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 40, alphaQuality: 40 })
      .toBuffer()
    if (smaller.length <= maxThumbnailBytes) return smaller
  }
  throw new Error('a thumbnail that no coarseness makes small enough')
}

const image = await readImage()
try {
  const drawn = await draw(image)
  process.stdout.write(drawn.length > maxThumbnailBytes ? await shrink(drawn) : drawn)
} catch {
  process.exitCode = unreadableCode
}
