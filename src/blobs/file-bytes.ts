/** A response body that a route wants sent, with everything needed for its headers. */
import type { Readable } from 'node:stream'
import type { ByteRange } from './blob-store.ts'

export interface FileBytes {
  name: string
  /** The Content-Type to send; not always the file's own type. */
  contentType: string
  size: number
  /** Hex; of the bytes, or of something that identifies them; becomes the strong ETag. */
  sha256: string
  /** ms, UTC; becomes Last-Modified. */
  modifiedAt: number
  disposition: 'attachment' | 'inline'
  /** The Content-Security-Policy under which a browser may show the bytes. */
  policy: string
  /** Opens the bytes or a range. The stream may overwrite a chunk once the reader asks for the second one after it. */
  open(range?: ByteRange): Promise<Readable | Buffer>
  /** Throws if the caller may not read it any more. Called after a wait for a turn, and during long answers. */
  confirm(): Promise<void>
  /**
   * Instead of `open`: lets a local web server read the whole file, of which it sends the range, and returns its path
   * relative to the store's folder. Null when only `open` will do.
   */
  share(range?: ByteRange): Promise<string | null>
  /**
   * Instead of `open`: an address from which whoever has it gets the whole file for a minute, with this Content-Disposition.
   * Null when only `open` will do; absent where the bytes must come with this server's headers, or are for visitors.
   */
  redirect?(disposition: string): Promise<string | null>
}

/** Bytes that are generated while they are sent: their length is unknown before, and ranges are impossible. */
export interface StreamedBytes {
  name: string
  contentType: string
  /** Throws if the caller may not read it any more. Called after a wait for a turn. */
  confirm(): Promise<void>
  /** Starts the stream; when it ends early, it closes everything it reads. An error aborts the response. */
  open(): AsyncIterable<Buffer>
}
