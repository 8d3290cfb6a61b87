/** Reads objects, and goes on where a connection breaks. */
import { Readable } from 'node:stream'
import type { ByteRange } from '../blob-store.ts'
import type { S3Answer, S3Client } from './client.ts'
import { noBytes, required } from './failures.ts'

/** How often a broken read goes on without a byte in between. */
const mostBreaks = 3

const lengthOf = ({ headers }: S3Answer): number => Number(required(headers['content-length'], 'a length'))

/** Opens an object's bytes, or a range of them; rejects as `BlobStore.read`. */
export async function readObject(client: S3Client, key: string, range?: ByteRange): Promise<Readable> {
  const get = (start: number, end: number | undefined, etag?: string) =>
    client.send({
      method: 'GET',
      key,
      headers: {
        ...(end === undefined ? {} : { range: `bytes=${start}-${end}` }),
        ...(etag === undefined ? {} : { 'if-match': etag }),
      },
    })
  const first = await get(range?.start ?? 0, range?.end)
  const length = lengthOf(first)
  if (range !== undefined && length !== range.end - range.start + 1) {
    first.body.destroy()
    throw noBytes()
  }
  const begin = range?.start ?? 0
  return Readable.from(goOn(first, { at: begin, end: begin + length - 1, get }), { objectMode: false })
}

interface Course {
  /** The next byte. */
  at: number
  /** The last byte. */
  end: number
  get(start: number, end: number, etag: string): Promise<S3Answer>
}

async function* goOn(first: S3Answer, { at, end, get }: Course): AsyncGenerator<Buffer> {
  const etag = String(first.headers.etag ?? '')
  let answer = first
  for (let breaks = 0; ; breaks += 1) {
    try {
      for await (const chunk of answer.body) {
        breaks = 0
        at += chunk.length
        yield chunk
      }
      if (at > end) return
      throw new Error('the object store ended its answer early')
    } catch (error) {
      if (breaks >= mostBreaks || etag === '') throw error
      answer = await get(at, end, etag)
      if (lengthOf(answer) !== end - at + 1) throw error
    }
  }
}
