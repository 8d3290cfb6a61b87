/** The bodies of requests: bytes that may be sent several times, in memory or elsewhere. */
import { createHash } from 'node:crypto'

export interface S3Body {
  /** In bytes. */
  readonly size: number
  /** The bytes from their beginning. */
  pieces(): Iterable<Buffer> | AsyncIterable<Buffer>
}

/** Bytes of a body that are sent at a time. */
const sentAtOnce = 64 * 1024

export const bodyOf = (bytes: Buffer): S3Body => ({ size: bytes.length, pieces: () => [bytes] })

/** The SHA-256 in hex. */
export async function hashOf({ pieces }: S3Body): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of pieces()) hash.update(piece)
  return hash.digest('hex')
}

/** Tells when the connection takes more of a body: a slow line is no store that is away. */
export async function* sendPieces({ pieces }: S3Body, onSent: () => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces()) {
    for (let at = 0; at < piece.length; at += sentAtOnce) {
      onSent()
      yield piece.subarray(at, at + sentAtOnce)
    }
  }
}
