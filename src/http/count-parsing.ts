/** Counts the memory that the parser of a form takes. */
import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'

/**
 * Counts what the parser holds of a part that is not a file until the part ends, and the chunk that it works on: one
 * chunk may end a part and begin the next.
 */
export function countParsing(request: IncomingMessage, parser: Writable, count: (bytes: number) => void): void {
  let held = 0
  let chunkSize = 0
  /** The file whose bytes arrive; they go on to its stream. */
  let file: Readable | null = null
  const hold = (bytes: number) => {
    const more = bytes - held
    held = bytes
    count(more)
  }
  const endPart = (next: Readable | null) => {
    file = next
    hold(chunkSize)
  }
  request.on('data', (chunk: Buffer) => {
    chunkSize = chunk.length
    hold(file === null ? held + chunkSize : chunkSize)
  })
  parser.on('field', () => endPart(null))
  parser.on('file', (_name: string, stream: Readable) => {
    endPart(stream)
    stream.once('close', () => {
      if (file === stream) file = null
    })
  })
}
