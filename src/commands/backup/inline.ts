/** Small contents, which stand among the rows: each is held to the size and SHA-256 that its own row tells. */
import { createHash } from 'node:crypto'
import { type Content, DamagedError } from './contents.ts'
import type { Part } from './manifest.ts'
import {
  type BlobRow,
  type InlineBytes,
  readBlobs,
  readInlineBytes,
  type Saved,
  type Slices,
  toBlobRows,
} from './rows.ts'

/** A small content that is not as its row says. */
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

/** Goes through both side by side: each in the order of its ids. */
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
    yield rows.flatMap(({ blob_id, bytes }) => (Buffer.isBuffer(bytes) ? [{ blob_id: Number(blob_id), bytes }] : []))
  }
}

/** The small contents that a database has not as they came in, by its rows of `blobs` and `blob_bytes`. */
export const findInlineLosses = (blobs: Slices, contents: Slices): AsyncGenerator<InlineLoss> =>
  findLosses(inlineOnly(blobs), toInlineBytes(contents))

/** A part, and the ids that its first and its last row of small content belong to; the first is above the last in none. */
interface Range {
  part: Part
  first: number
  last: number
}

/** The same for what a backup holds; snapshots have most parts in common, and what belongs together is read once. */
export function openInlineChecks(place: Saved, signal: AbortSignal) {
  const ranges = new Map<string, Range>()
  const checked = new Map<string, InlineLoss[]>()

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

  async function check(blobs: Part, contents: readonly Part[]): Promise<InlineLoss[]> {
    const key = [blobs, ...contents].map(({ sha256 }) => sha256).join()
    const losses = checked.get(key) ?? []
    if (checked.has(key)) return losses
    for await (const loss of findLosses(readBlobs(place, [blobs], 'inline'), readInlineBytes(place, contents))) {
      losses.push(loss)
    }
    checked.set(key, losses)
    return losses
  }

  /** The losses among the rows of some parts, all of which can be read; both in the order of their ids. */
  return async (blobs: readonly Part[], contents: readonly Part[]): Promise<InlineLoss[]> => {
    const held: Range[] = []
    for (const part of contents) {
      const range = await findRange(part, readContentIds)
      // One whose damaged rows have no bytes at all stands nowhere among the others.
      if (range.first <= range.last) held.push(range)
    }
    const losses: InlineLoss[] = []
    let start = 0
    for (const part of blobs) {
      const { first, last } = await findRange(part, readBlobIds)
      // Without small contents the part says nothing of where those of the next part begin.
      if (first > last) continue
      while ((held[start]?.last ?? Number.POSITIVE_INFINITY) < first) start += 1
      let end = start
      while ((held[end]?.first ?? Number.POSITIVE_INFINITY) <= last) end += 1
      losses.push(
        ...(await check(
          part,
          held.slice(start, end).map(range => range.part),
        )),
      )
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
