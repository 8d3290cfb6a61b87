/** Reads objects: goes on where a connection breaks, and gives it up while its reader is slow. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AppError, systemCode } from '../../base/errors.ts'
import type { ByteRange, ReadOptions } from '../blob-store.ts'
import { giveUp, type S3Answer, type S3Client } from './client.ts'
import { explain, noBytes, required, S3Refusal } from './failures.ts'
import { openReaderPace, type ReaderPace, type ReadingTime, readingTime } from './reader-pace.ts'

/** How often a broken read goes on without a byte in between. */
const mostBreaks = 3
/** Bytes that a slow reader gets at a time: they are in memory, so that no connection waits. */
const slowRange = 256 * 1024

const lengthOf = ({ headers }: S3Answer): number => Number(required(headers['content-length'], 'a length'))

const rangeForm = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i

/**
 * Whether an answer is what was asked for; without a range that is the whole object. `shorter` is all of it that the object
 * has. A service or a proxy that ignores a range answers with other bytes, and 200.
 */
function compareRange(answer: S3Answer, asked: ByteRange | undefined): 'equal' | 'shorter' | 'other' {
  if (asked === undefined) return answer.statusCode === 200 ? 'equal' : 'other'
  const [, start, last, size] = rangeForm.exec(String(answer.headers['content-range'] ?? '')) ?? []
  const end = Number(last)
  const total = size === '*' ? null : Number(size)
  const isBeginning = Number(start) === asked.start && end <= asked.end && (total === null || end < total)
  const isAll = Number(answer.headers['content-length']) === end - asked.start + 1
  if (answer.statusCode !== 206 || !isBeginning || !isAll) return 'other'
  if (end === asked.end) return 'equal'
  return total === null || end === total - 1 ? 'shorter' : 'other'
}

/** The size of the whole object; null if the answer does not tell it. */
function sizeIn({ headers, statusCode }: S3Answer): number | null {
  const size = statusCode === 200 ? headers['content-length'] : rangeForm.exec(String(headers['content-range']))?.[3]
  return size === undefined || size === '*' ? null : Number(size)
}

const otherRange = (): unknown => explain(new Error('the object store answered another range'))

/** Opens an object's bytes, or a range of them; rejects as `BlobStore.read`. */
export async function readObject(
  client: S3Client,
  key: string,
  range?: ByteRange,
  { time = readingTime, readAgain, whole }: ReadOptions & { time?: ReadingTime } = {},
): Promise<Readable> {
  const get = (start: number, end: number | undefined, etag = '') =>
    client.send({
      method: 'GET',
      key,
      headers: {
        ...(end === undefined ? {} : { range: `bytes=${start}-${end}` }),
        ...(etag === '' ? {} : { 'if-match': etag }),
      },
    })
  const begin = range?.start ?? 0
  const answer = await get(begin, range?.end)
  try {
    const length = lengthOf(answer)
    const found = compareRange(answer, range)
    if (found !== 'equal') throw found === 'shorter' ? noBytes() : otherRange()
    const size = sizeIn(answer)
    if (whole !== undefined && size !== null && size !== whole.size) throw noBytes()
    const etag = String(answer.headers.etag ?? '')
    return streamOf({ answer, etag, at: begin, end: begin + length - 1, get, readAgain }, time)
  } catch (error) {
    giveUp(answer)
    throw error
  }
}

interface Course {
  /** What comes at present; null while nothing does. */
  answer: S3Answer | null
  /** Empty if the store tells none: then nobody knows whether later bytes are the same object's. */
  etag: string
  /** The next byte. */
  at: number
  /** The last byte. */
  end: number
  get(start: number, end: number, etag: string): Promise<S3Answer>
  readAgain: ReadOptions['readAgain']
}

function streamOf(course: Course, time: ReadingTime): Readable {
  const leave = () => {
    if (course.answer !== null) giveUp(course.answer)
    course.answer = null
  }
  const pace = openReaderPace(time, () => course.etag !== '' && leave())
  pace.begin()
  // Its reader may go before it reads anything.
  return Readable.from(goOn(course, pace), { objectMode: false }).once('close', () => {
    pace.stop()
    leave()
  })
}

async function* wholeOf({ body }: S3Answer): AsyncGenerator<Buffer> {
  yield await buffer(body)
}

/** What is read next: the rest as it comes, or as much of it as is kept for a slow reader. */
async function openNext(course: Course, isSlow: boolean): Promise<AsyncIterable<Buffer>> {
  const { answer, etag, at, get } = course
  if (answer !== null) return answer.body
  const end = isSlow ? Math.min(course.end, at + slowRange - 1) : course.end
  const next = await get(at, end, etag)
  if (compareRange(next, { start: at, end }) !== 'equal') {
    giveUp(next)
    throw otherRange()
  }
  if (isSlow) return wholeOf(next)
  course.answer = next
  return next.body
}

/** Whether the object that is being read was removed, or written anew. */
const isReplaced = (error: unknown): boolean =>
  systemCode(error) === 'ENOENT' ||
  (error instanceof AppError && error.cause instanceof S3Refusal && error.cause.status === 412)

async function* goOn(course: Course, pace: ReaderPace): AsyncGenerator<Buffer> {
  try {
    yield* readCourse(course, pace)
  } catch (error) {
    if (course.readAgain === undefined || !isReplaced(error)) throw error
    yield* await course.readAgain({ start: course.at, end: course.end })
  }
}

async function* readCourse(course: Course, pace: ReaderPace): AsyncGenerator<Buffer> {
  pace.end(0)
  for (let breaks = 0; ; ) {
    const isSlow = !pace.keepsUp()
    const bytes = await openNext(course, isSlow)
    try {
      for await (const chunk of bytes) {
        breaks = 0
        course.at += chunk.length
        pace.begin()
        yield chunk
        pace.end(chunk.length)
        if (course.answer === null) break
      }
      if (course.at > course.end) return
      if (course.answer !== null) throw new Error('the object store ended its answer early')
    } catch (error) {
      if (breaks >= mostBreaks || course.etag === '') throw error
      breaks += 1
      course.answer = null
    }
  }
}
