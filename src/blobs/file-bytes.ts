/** Bytes that a route wants sent, and all that must be known to send them. */
import type { Readable } from 'node:stream'
import type { ByteRange } from './blob-store.ts'

export interface FileBytes {
  name: string
  /** The Content-Type to send; not always the file's own type. */
  contentType: string
  size: number
  /** Hex; of the bytes, or of what stands for them alone; becomes the strong ETag. */
  sha256: string
  /** ms, UTC; becomes Last-Modified. */
  modifiedAt: number
  disposition: 'attachment' | 'inline'
  /** The Content-Security-Policy under which a browser may show the bytes. */
  policy: string
  /** Opens the bytes, or a range of them; a stream may write over a chunk once the second after it is asked for. */
  open(range?: ByteRange): Promise<Readable | Buffer>
  /**
   * In place of `open`: lets a web server of this machine read the whole, and gives back its path below the store's
   * folder. Null where nothing but `open` will do.
   */
  share(): Promise<string | null>
}

/** Bytes that are made while they are sent: nobody knows their number before, nor a part of them. */
export interface StreamedBytes {
  name: string
  contentType: string
  /** Begins; ended early, it closes all that it reads. What it throws breaks the answer off. */
  open(): AsyncIterable<Buffer>
}
