/** Reads objects, and goes on where a connection breaks. */
import { Readable } from 'node:stream'
import type { ByteRange } from '../blob-store.ts'
import type { S3Answer, S3Client } from './client.ts'
import { noBytes, required } from './failures.ts'

/** How often a broken read goes on without a byte in between. */
const mostBreaks = 3

const lengthOf = ({ headers }: S3Answer): number => Number(required(headers['content-length'], 'a length'))

/** Ends an answer of which nothing more is read, and with it its connection, which would wait for its reader. */
function giveUp({ body }: S3Answer): void {
  // undici reports this as an error, which would end the process where nobody listens.
  body.on('error', () => undefined).destroy()
}

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
  const begin = range?.start ?? 0
  const answer = await get(begin, range?.end)
  try {
    const length = lengthOf(answer)
    if (range !== undefined && length !== range.end - range.start + 1) throw noBytes()
    const course = { answer, at: begin, end: begin + length - 1, get }
    // Its reader may go before it reads anything.
    return Readable.from(goOn(course), { objectMode: false }).once('close', () => giveUp(course.answer))
  } catch (error) {
    giveUp(answer)
    throw error
  }
}

interface Course {
  /** What is read at present. */
  answer: S3Answer
  /** The next byte. */
  at: number
  /** The last byte. */
  end: number
  get(start: number, end: number, etag: string): Promise<S3Answer>
}

async function* goOn(course: Course): AsyncGenerator<Buffer> {
  const etag = String(course.answer.headers.etag ?? '')
  for (let breaks = 0; ; breaks += 1) {
    try {
      for await (const chunk of course.answer.body) {
        breaks = 0
        course.at += chunk.length
        yield chunk
      }
      if (course.at > course.end) return
      throw new Error('the object store ended its answer early')
    } catch (error) {
      if (breaks >= mostBreaks || etag === '') throw error
      course.answer = await course.get(course.at, course.end, etag)
      if (lengthOf(course.answer) !== course.end - course.at + 1) throw error
    }
  }
}
