/** Draws images for tests: real ones with sharp, and decompression bombs by hand. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, createDeflate, deflateSync } from 'node:zlib'
import sharp from 'sharp'

interface Colour {
  r: number
  g: number
  b: number
}

type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'tiff'

const red = { r: 255, g: 0, b: 0 }

/** An image in one color, or with the color `right` in its right half. */
export function drawImage(width: number, height: number, colour: Colour = red, right: Colour = colour) {
  const half = sharp({ create: { width: Math.ceil(width / 2), height, channels: 3, background: right } }).png()
  return {
    as: async (format: Format, orientation?: number): Promise<Buffer> => {
      const whole = sharp({ create: { width, height, channels: 3, background: colour } })
      const composed = whole.composite([{ input: await half.toBuffer(), left: Math.floor(width / 2), top: 0 }])
      return (orientation === undefined ? composed : composed.withMetadata({ orientation })).toFormat(format).toBuffer()
    },
  }
}

/** An animation with two frames, the first one red. */
export function drawAnimation(): Promise<Buffer> {
  const pixels = Buffer.concat([Buffer.alloc(64 * 64 * 3), Buffer.alloc(64 * 64 * 3)])
  for (let index = 0; index < 64 * 64 * 3; index += 3) pixels[index] = 255
  return sharp(pixels, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } })
    .gif()
    .toBuffer()
}

/** Red, green and blue of the pixel at a position, both coordinates from 0 to 1. */
export async function colourAt(bytes: Buffer, across: number, down: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(info.height * down) * info.width + Math.floor(info.width * across)) * info.channels
  return [...data.subarray(at, at + info.channels)]
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A few bytes that declare this many pixels. */
export function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    pngStart,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** The lines of the seven passes of an interlaced PNG: all pixels are transparent, in 8 bytes each. */
function* interlacedLines(width: number, height: number): Generator<Buffer> {
  const passes = [
    [0, 8, 0, 8],
    [4, 8, 0, 8],
    [0, 4, 4, 8],
    [2, 4, 0, 4],
    [0, 2, 2, 4],
    [1, 2, 0, 2],
    [0, 1, 1, 2],
  ] as const
  for (const [left, across, top, down] of passes) {
    const line = Buffer.alloc(1 + 8 * Math.ceil((width - left) / across))
    for (let y = top; y < height; y += down) yield line
  }
}

/** A whole interlaced PNG with 16 bits per channel and alpha, which a decoder must hold as a whole. */
export async function interlacedPng(width: number, height: number): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([16, 6, 0, 0, 1], 8)
  const pixels = await buffer(Readable.from(interlacedLines(width, height)).pipe(createDeflate({ level: 1 })))
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([pngStart, ...chunks])
}

export function gifBomb(): Buffer {
  const size = Buffer.from([0xff, 0xff, 0xff, 0xff])
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 2, 0x4c, 1, 0, 0x3b])
  return Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]), frame])
}

export const svg = (content: string, width = 100, height = 100): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}">${content}</svg>`
