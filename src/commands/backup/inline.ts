/** Small contents stored in rows: compares each with the size and SHA-256 in its own row. */
import { createHash } from 'node:crypto'
import { type Content, DamagedError } from './contents.ts'
import type { Part } from './manifest.ts'
import { addFound, type Found, nothingFound } from './problems.ts'
import {
  type BlobRow,
  type InlineBytes,
  readBlobs,
  readInlineBytes,
  type Saved,
  type Slices,
  toBlobRows,
} from './rows.ts'

/** A small content that differs from its row. */
interface InlineLoss {
  blob: BlobRow
  error: DamagedError
}

function lossOf({ sha256, size }: Content, bytes: Buffer | undefined): DamagedError | null {
  if (bytes === undefined) return new DamagedError('is missing')
  if (bytes.length !== size) return new DamagedError(`has ${bytes.length} bytes instead of ${size}`)
  return createHash('sha256').update(bytes).digest('hex') === sha256 ? null : new DamagedError('has changed')
}

async function* eachOf<Item>(slices: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const slice of slices) yield* slice
}

/** Walks through both in parallel; each is in the order of ids. */
async function* findLosses(
  blobs: AsyncIterable<readonly BlobRow[]>,
  contents: AsyncIterable<readonly InlineBytes[]>,
): AsyncGenerator<InlineLoss> {
  const held = eachOf(contents)
  let next = await held.next()
  for await (const blob of eachOf(blobs)) {
    while (!next.done && next.value.blob_id < blob.id) next = await held.next()
    const bytes = next.done || next.value.blob_id !== blob.id ? undefined : next.value.bytes
    const error = lossOf(blob, bytes)
    if (error !== null) yield { blob, error }
  }
}

async function* inlineOnly(slices: Slices): AsyncGenerator<BlobRow[]> {
  for await (const rows of slices) yield toBlobRows(rows, 'inline')
}

async function* toInlineBytes(slices: Slices): AsyncGenerator<InlineBytes[]> {
  for await (const rows of slices) {
    yield rows.flatMap(({ blob_id, bytes }) => {
      // As rows.ts saves them.
      const found = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
      return Buffer.isBuffer(found) ? [{ blob_id: Number(blob_id), bytes: found }] : []
    })
  }
}

/** Finds the damaged small contents in a database's rows of `blobs` and `blob_bytes`. */
export const findInlineLosses = (blobs: Slices, contents: Slices): AsyncGenerator<InlineLoss> =>
  findLosses(inlineOnly(blobs), toInlineBytes(contents))

/** A part, with the content ids of its first and last row; `first` is above `last` when it has none. */
interface Range {
  part: Part
  first: number
  last: number
}

/**
 * The same for a backup, with what `describe` makes of each loss. Snapshots share most parts, so matching parts are read
 * only once, unless a later snapshot lists more of their losses.
 */
export function openInlineChecks<Told>(
  place: Saved,
  signal: AbortSignal,
  describe: (blob: BlobRow, problem: string) => Told,
) {
  const ranges = new Map<string, Range>()
  const checked = new Map<string, Found<Told>>()

  async function findRange(part: Part, read: (place: Saved, parts: Part[]) => AsyncIterable<number[]>): Promise<Range> {
    signal.throwIfAborted()
    const known = ranges.get(part.sha256)
    if (known !== undefined) return { ...known, part }
    const range = { part, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }
    for await (const ids of read(place, [part])) {
      range.first = Math.min(range.first, ids[0] ?? range.first)
      range.last = Math.max(range.last, ids.at(-1) ?? range.last)
    }
    ranges.set(part.sha256, range)
    return range
  }

  async function check(blobs: Part, contents: readonly Part[], room: number): Promise<Found<Told>> {
    const key = [blobs, ...contents].map(({ sha256 }) => sha256).join()
    const known = checked.get(key)
    if (known !== undefined && known.first.length >= Math.min(known.count, room)) return known
    const losses: Found<Told> = nothingFound()
    const found = findLosses(readBlobs(place, [blobs], 'inline'), readInlineBytes(place, contents))
    for await (const { blob, error } of found) {
      const isKept = losses.first.length < room
      addFound(losses, { first: isKept ? [describe(blob, error.message)] : [], count: 1 })
    }
    checked.set(key, losses)
    return losses
  }

  /** The losses among the rows of some parts, all of which are readable and in the order of ids; the first `room`. */
  return async (blobs: readonly Part[], contents: readonly Part[], room: number): Promise<Found<Told>> => {
    const held: Range[] = []
    for (const part of contents) {
      const range = await findRange(part, readContentIds)
      // A part whose damaged rows have no bytes has no place in the order.
      if (range.first <= range.last) held.push(range)
    }
    const losses: Found<Told> = nothingFound()
    let start = 0
    for (const part of blobs) {
      const { first, last } = await findRange(part, readBlobIds)
      // A part without small contents says nothing about where the next part's begin.
      if (first > last) continue
      while ((held[start]?.last ?? Number.POSITIVE_INFINITY) < first) start += 1
      let end = start
      while ((held[end]?.first ?? Number.POSITIVE_INFINITY) <= last) end += 1
      const matching = held.slice(start, end).map(range => range.part)
      addFound(losses, await check(part, matching, room - losses.first.length))
    }
    return losses
  }
}

async function* readBlobIds(place: Saved, parts: readonly Part[]): AsyncGenerator<number[]> {
  for await (const blobs of readBlobs(place, parts, 'inline')) yield blobs.map(({ id }) => id)
}

async function* readContentIds(place: Saved, parts: readonly Part[]): AsyncGenerator<number[]> {
  for await (const contents of readInlineBytes(place, parts)) yield contents.map(({ blob_id }) => blob_id)
}
