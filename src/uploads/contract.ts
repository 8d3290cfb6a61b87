/** What uploads in several requests offer to those who speak their protocol. */
import type { Caller } from '../access/actor.ts'
import type { AppError } from '../base/errors.ts'
import type { UploadTarget } from '../db/models/uploads.ts'
import type { Upload } from './rows.ts'

export interface NewUpload {
  /** Bytes. */
  length: number
  /** What the client wants to read again, as it was sent. */
  header: string | null
  target: UploadTarget
}

/** What a request brings. */
export interface Addition {
  /** Where its first byte goes. */
  offset: number
  /** Bytes; null when unknown. */
  length: number | null
  chunks: AsyncIterable<Buffer>
  /** What the client says that the bytes' hash is; nothing is kept of others. */
  checksum: { algorithm: 'sha1' | 'sha256'; digest: Buffer } | null
  /** Ends the request, which then fails with the reason. */
  cut(reason: AppError): void
}

/** What may be said anew of an upload that has all its bytes. */
export type NewTarget = Partial<
  Pick<UploadTarget, 'parent_id' | 'name' | 'on_conflict' | 'metadata' | 'sha256' | 'if_match'>
>

/** An upload that has become a file. */
interface Finished {
  fileId: number
  /** False if it was one already. */
  isNew: boolean
  /** As it was before. */
  upload: Upload
}

export interface Uploads {
  /** Begins an upload; one without bytes becomes a file at once. Throws as `createUpload`. */
  create(actor: Caller, upload: NewUpload): Promise<Upload>
  /**
   * Appends bytes; the last one makes the upload a file, unless it waits to be told so. `confirm` admits the actor again
   * after the bytes have come. Throws as `append`, and the refusal of an upload that cannot become a file.
   */
  append(actor: Caller, id: string, addition: Addition, confirm: () => Promise<Caller>): Promise<Upload>
  /**
   * How far an upload has come; ends an earlier request that is still sending. One that can become no file is
   * `offset_mismatch`: a client that saw all bytes there would report success.
   */
  find(actor: Caller, id: string): Promise<Upload>
  /** Makes an upload a file, maybe elsewhere than was said at first. */
  finish(actor: Caller, id: string, target: NewTarget): Promise<Finished>
  /** Drops an upload and its bytes; of one that has become a file only the record. */
  discard(actor: Caller, id: string): Promise<void>
  /** Makes a whole upload a file that no request waits for, as `actor`. */
  resume(actor: Caller, id: string): Promise<void>
}
