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

/** Counts the memory of all parts. */
function openBudget(most: number) {
  let held = 0
  return {
    take: (bytes: number): boolean => {
      if (held + bytes > most) return false
      held += bytes
      return true
    },
    giveBack: (bytes: number): void => {
      held -= bytes
    },
  }
}

type Budget = ReturnType<typeof openBudget>

interface GrowingPart extends Part {
  add(bytes: Buffer): Promise<void>
}

function openPart(most: number, budget: Budget, folder: string): GrowingPart {
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
    budget.giveBack(taken.reduce((sum, piece) => sum + piece.length, 0))
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
    const length = Math.min(most - size, Math.max(leastPiece, Math.min(mostPiece, size)))
    if (!budget.take(length)) return false
    taken.push(Buffer.allocUnsafeSlow(length))
    free = length
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
export function openPartsOf({ memory, folder }: PartsOptions): OpenParts {
  const budget = openBudget(memory)
  return partSize => {
    const begun: Part[] = []
    const begin = (): GrowingPart => {
      const next = openPart(partSize, budget, folder)
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
