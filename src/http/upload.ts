/** Takes a multipart upload in: multer parses it, this engine streams its one file straight into the blob store. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import createMulter from '@koa/multer'
import type { Context } from 'koa'
import type { BlobStore } from '../blobs/blob-store.ts'
import { type ReceivedBlob, receiveBlob } from '../blobs/receive.ts'
import { AppError, systemCode } from '../errors.ts'
import { refuseEncoding } from './body.ts'
import type { Upload } from './route.ts'

const limits = { files: 1, fields: 8, parts: 10, fieldSize: 64 * 1024 }
/** ms for which a refused client may go on sending before its socket is destroyed; it needs them to read the answer. */
const lingerTime = 2000

export type FormFields = Record<string, unknown>

export interface UploadOptions {
  store: BlobStore
  /** Bytes of the file. */
  limit: number
  /** Runs at the file's first byte with the fields sent before it; what it throws refuses the upload. */
  before(fields: FormFields, fileName: string): Promise<void>
}

export interface ReceivedUpload {
  fields: FormFields
  upload: Upload
}

interface MulterFile {
  originalname: string
  stream: Readable
  blob?: ReceivedBlob
}

type Done = (error: unknown, info?: Partial<MulterFile>) => void

/** A part's file name without the directories in front (RFC 7578 section 4.2); `/` and `\` both end one. */
export const baseName = (fileName: string): string =>
  fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)

export async function removeBytes(store: BlobStore, blob: ReceivedBlob): Promise<void> {
  if (blob.inline === null) await store.remove(blob.key)
}

/**
 * The storage engine of one request. `fail` is told of an error at once, for multer itself speaks only when the whole
 * body has come in.
 */
function createEngine(options: UploadOptions, fail: (error: unknown) => void) {
  async function handle(request: IncomingMessage & { body?: FormFields }, file: MulterFile): Promise<ReceivedBlob> {
    await options.before({ ...request.body }, baseName(file.originalname))
    return receiveBlob(options.store, file.stream, options.limit)
  }
  return {
    _handleFile: (request: IncomingMessage, file: MulterFile, done: Done) => {
      handle(request, file).then(
        blob => done(null, { blob }),
        error => {
          fail(error)
          file.stream.resume()
          done(error)
        },
      )
    },
    _removeFile: (_request: IncomingMessage, file: MulterFile, done: Done) => {
      const removed = file.blob === undefined ? Promise.resolve() : removeBytes(options.store, file.blob)
      removed.then(() => done(null), done)
    },
  }
}

/** multer's and busboy's complaints about the body, in the contract's words. */
function toUploadError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = systemCode(error)
  if (code?.startsWith('LIMIT_FILE') || code === 'LIMIT_UNEXPECTED_FILE') {
    return new AppError('invalid_input', "Send exactly one file, in the part 'file'", { cause: error })
  }
  if (code?.startsWith('LIMIT_') || code?.endsWith('_FIELD_NAME')) {
    return new AppError('invalid_input', 'The form has too many or too large fields', { cause: error })
  }
  if (code === undefined) return new AppError('invalid_input', 'The multipart body is broken', { cause: error })
  return error
}

/** Lets a client that is still sending read the answer, then ends the connection. */
function closeAfterAnswer(ctx: Context): void {
  const { socket } = ctx.req
  ctx.set('Connection', 'close')
  // Node would close at once; a socket closed with unread bytes is reset, and the answer is lost on the way.
  socket.destroySoon = () => {
    setTimeout(() => socket.destroy(), lingerTime).unref()
  }
}

/**
 * Receives the form. When it resolves, the bytes are durable or in memory and the caller must name or remove them;
 * when it rejects, nothing is left of them.
 */
export async function receiveUpload(ctx: Context, options: UploadOptions): Promise<ReceivedUpload> {
  refuseEncoding(ctx)
  if (!ctx.is('multipart/form-data')) throw new AppError('unsupported_media', 'Send the file as multipart/form-data')
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  const storage = createEngine(options, error => fail(error))
  // preservePath: multer would cut directories by the server's own rules, and silently.
  const multer = createMulter({
    storage,
    limits,
    preservePath: true,
    defParamCharset: 'utf8',
  } as unknown as createMulter.Options)
  const parsed = multer.single('file')(ctx as never, async () => undefined)
  try {
    await Promise.race([parsed, failed])
  } catch (error) {
    if (!ctx.req.complete) closeAfterAnswer(ctx)
    throw toUploadError(error)
  }
  const file = (ctx as unknown as { file?: MulterFile }).file
  if (file?.blob === undefined)
    throw new AppError('invalid_input', "Send the file in the part 'file'", {
      fields: { file: 'This field is required' },
    })
  return {
    fields: { ...(ctx.request as { body?: FormFields }).body },
    upload: { fileName: baseName(file.originalname), blob: file.blob },
  }
}
