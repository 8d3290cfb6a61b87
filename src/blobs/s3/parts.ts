/**
 * Gathers what uploads send until a part is full. Senders may stop at any byte, and so many of them together may keep
 * only a limited memory: a part for which there is none goes on in a file, so that nobody waits for who has stopped.
 */
import type { S3Body } from './body.ts'
import { openSpillFile, type SpillFile } from './spill-file.ts'

/** Bytes of the pieces of memory in which a part grows: about as much is taken as has come. */
const leastPiece = 64 * 1024
const mostPiece = 1024 ** 2

export interface Part extends S3Body {
  /** Gives memory and file back; may be repeated. Nothing may read the part any more. */
  drop(): Promise<void>
}

interface Parts {
  /** Yields each part that is full. What is left when the source ends goes on with the next source. */
  fill(source: AsyncIterable<Buffer>): AsyncGenerator<Part, void>
  /** The part that is not full yet, perhaps empty. */
  rest(): Part
  /** Drops all parts that were not dropped. None may be under way. */
  end(): Promise<void>
}

/** Begins to gather parts of one size. */
export type OpenParts = (partSize: number) => Parts

interface PartsOptions {
  /** The most bytes of all parts in memory, also of those that are being sent. */
  memory: number
  /** Where the files of the others are. */
  folder: string
}

/** Pieces that are kept for the next part: as many as an upload has in the parts under way and in the one that grows. */
const mostSpare = 32

/**
 * Lends the memory of all parts. Its largest pieces are used again while anything is lent: V8 marks the whole heap for
 * every 64 MB of new buffers, which took a third of an upload's CPU time. A connection may still hold the last bytes of a
 * part that the store has refused; what they become cannot match the SHA-256 that was signed.
 */
function openMemory(most: number) {
  let lent = 0
  let spare: Buffer[] = []
  return {
    /** A piece of that length, or null when too much is lent. */
    take: (length: number): Buffer | null => {
      if (lent + length > most) return null
      lent += length
      const used = length === mostPiece ? spare.pop() : undefined
      if (used !== undefined) return used
      while (lent + spare.length * mostPiece > most) spare.pop()
      return Buffer.allocUnsafeSlow(length)
    },
    giveBack: (pieces: readonly Buffer[]): void => {
      for (const piece of pieces) {
        lent -= piece.length
        if (piece.length === mostPiece && spare.length < mostSpare) spare.push(piece)
      }
      if (lent === 0) spare = []
    },
  }
}

type Memory = ReturnType<typeof openMemory>

interface GrowingPart extends Part {
  add(bytes: Buffer): Promise<void>
}

function openPart(most: number, memory: Memory, folder: string): GrowingPart {
  let size = 0
  let taken: Buffer[] = []
  /** Bytes of `taken` in which nothing is yet. */
  let free = 0
  let file: SpillFile | null = null

  function* inMemory(): Generator<Buffer> {
    for (const [index, piece] of taken.entries()) {
      yield index < taken.length - 1 ? piece : piece.subarray(0, piece.length - free)
    }
  }

  function leaveMemory(): void {
    memory.giveBack(taken)
    taken = []
    free = 0
  }

  async function spill(): Promise<SpillFile> {
    file = await openSpillFile(folder)
    for (const piece of inMemory()) await file.add(piece)
    leaveMemory()
    return file
  }

  /** Whether there is memory for more bytes. */
  function grow(): boolean {
    const piece = memory.take(Math.min(most - size, Math.max(leastPiece, Math.min(mostPiece, size))))
    if (piece === null) return false
    taken.push(piece)
    free = piece.length
    return true
  }

  async function add(bytes: Buffer): Promise<void> {
    let left = bytes
    while (file === null && left.length > 0 && (free > 0 || grow())) {
      const piece = taken.at(-1) as Buffer
      const copied = left.copy(piece, piece.length - free)
      free -= copied
      size += copied
      left = left.subarray(copied)
    }
    if (left.length === 0) return
    await (file ?? (await spill())).add(left)
    size += left.length
  }

  return {
    get size() {
      return size
    },
    add,
    pieces: () => (file === null ? inMemory() : file.read(size)),
    drop: async () => {
      leaveMemory()
      const open = file
      file = null
      // The bytes are gone either way, and the next part is to be dropped, too.
      await open?.close().catch(() => undefined)
    },
  }
}

/** Opens the gathering for all uploads of one store. */
export function openPartsOf({ memory: most, folder }: PartsOptions): OpenParts {
  const memory = openMemory(most)
  return partSize => {
    const begun: Part[] = []
    const begin = (): GrowingPart => {
      const next = openPart(partSize, memory, folder)
      begun.push(next)
      return next
    }
    let part = begin()
    return {
      fill: async function* (source) {
        for await (const chunk of source) {
          for (let at = 0; at < chunk.length; ) {
            const bytes = chunk.subarray(at, at + partSize - part.size)
            await part.add(bytes)
            at += bytes.length
            if (part.size < partSize) continue
            const full = part
            part = begin()
            yield full
          }
        }
      },
      rest: () => part,
      end: async () => {
        for (const each of begun) await each.drop()
      },
    }
  }
}
