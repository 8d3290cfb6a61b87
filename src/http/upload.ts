/** Receives an upload: the fields of a multipart form, and its one file into the blob store. */
import type { Context } from 'koa'
import { AppError } from '../base/errors.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { type Allowance, type ReceivedBlob, receiveBlob } from '../blobs/receive.ts'
import type { Upload } from '../route.ts'
import { memoryOf } from './memory-of.ts'
import { type FormFields, receiveMultipart } from './multipart.ts'

const limits = { files: 1, fields: 8, parts: 10 }

export interface UploadOptions {
  store: BlobStore
  /** The announced bytes of the body; null when unknown. */
  contentLength: number | null
  /** Counts bytes in memory, or with a negative number gives them back; when it throws, the upload is refused. */
  countHeld(bytes: number): void
  /** Runs at the file's first byte with the fields sent before it; when it throws, the upload is refused. */
  before(fields: FormFields): Promise<Allowance>
}

interface ReceivedUpload {
  fields: FormFields
  upload: Upload
  allowance: Allowance
}

/** A file's bytes, in memory or durable, and their allowance. */
interface Received {
  blob: ReceivedBlob
  allowance: Allowance
}

const notOneFile = (cause?: unknown): AppError => {
  const message = "Send exactly one file, in the part 'file'"
  return new AppError('invalid_input', message, { cause, fields: { file: message } })
}

const noFile = (): AppError =>
  new AppError('invalid_input', "Send the file in the part 'file'", { fields: { file: 'This field is required' } })

/** Drops the bytes of a file that becomes no row. */
export async function removeBytes(store: BlobStore, { blob, allowance }: Received): Promise<void> {
  try {
    if (blob.inline === null) await store.remove(blob.key)
  } finally {
    allowance.end()
  }
}

/**
 * Receives the form. When it resolves, the bytes are durable or in memory, and the caller must save a row for them or
 * remove them within `allowance.store`. When it rejects, no bytes are left.
 */
export async function receiveUpload(ctx: Context, options: UploadOptions): Promise<ReceivedUpload> {
  const { fields, files } = await receiveMultipart<Received>(ctx, {
    limits,
    maxBytes: null,
    wrongFiles: notOneFile,
    keepsFields: true,
    countHeld: options.countHeld,
    onField: (name, value) => options.countHeld(memoryOf(name) + memoryOf(value)),
    receive: async ({ stream }, early) => {
      const allowance = await options.before(early)
      const { limit, take } = allowance
      try {
        const blob = await receiveBlob(options.store, stream, { limit, take, expected: options.contentLength })
        return { blob, allowance }
      } catch (error) {
        allowance.end()
        throw error
      }
    },
    onEnd: count => {
      if (count === 0) throw noFile()
    },
    remove: received => removeBytes(options.store, received),
  })
  const [file] = files
  if (file === undefined) throw noFile()
  const { blob, allowance } = file.received
  return { fields, upload: { fileName: file.fileName, blob }, allowance }
}
