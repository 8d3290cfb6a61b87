/** Cuts a stream of unknown length into pieces; a store makes each of them durable before it goes on. */
import { second } from '../base/clock.ts'

/** Bytes of a piece. Measured: to wait for the disk after each of them takes no longer than once at the end. */
const pieceSize = 64 * 1024 ** 2
/** ms after which a piece ends with its next chunk. */
const pieceTime = 5 * second

interface Pieces {
  /** False once the source has ended or failed. */
  hasMore(): boolean
  /** The chunks of the next piece; read it to its end. */
  next(): AsyncGenerator<Buffer, void>
  /** The error of the source; undefined if it has none. */
  broken(): unknown
  /** Tells the source that nothing more is read. */
  close(): Promise<void>
}

export function openPieces(source: AsyncIterable<Buffer>): Pieces {
  const chunks = source[Symbol.asyncIterator]()
  let hasMore = true
  let broken: unknown

  async function read(): Promise<Buffer | null> {
    try {
      const { value, done } = await chunks.next()
      if (done !== true) return value
    } catch (error) {
      broken = error
    }
    hasMore = false
    return null
  }

  return {
    hasMore: () => hasMore,
    next: async function* () {
      const began = performance.now()
      let size = 0
      do {
        const chunk = await read()
        if (chunk === null) return
        size += chunk.length
        yield chunk
      } while (size < pieceSize && performance.now() - began < pieceTime)
    },
    broken: () => broken,
    close: async () => {
      await chunks.return?.()
    },
  }
}
