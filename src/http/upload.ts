/** Receives a multipart upload: multer parses it, and this storage engine streams its one file into the blob store. */
import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import createMulter from '@koa/multer'
import type { Context } from 'koa'
import { AppError, invalidField, systemCode } from '../base/errors.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { type Allowance, type ReceivedBlob, receiveBlob } from '../blobs/receive.ts'
import type { Upload } from '../route.ts'
import { refuseEncoding } from './body.ts'

const limits = { files: 1, fields: 8, parts: 10, fieldSize: 64 * 1024 }
/** The most characters of a boundary (RFC 2046 section 5.1.1). The parser compares a longer one with every chunk. */
const maxBoundary = 70
export type FormFields = Record<string, unknown>

export interface UploadOptions {
  store: BlobStore
  /** The announced bytes of the body; null when unknown. */
  contentLength: number | null
  /** Counts the bytes of fields, which wait in memory; when it throws, the upload is refused. */
  countField(bytes: number): void
  /** Runs at the file's first byte with the fields sent before it; when it throws, the upload is refused. */
  before(fields: FormFields): Promise<Allowance>
}

interface ReceivedUpload {
  fields: FormFields
  upload: Upload
  allowance: Allowance
}

interface MulterFile {
  originalname: string
  stream: Readable
  received?: Received
}

interface Received {
  blob: ReceivedBlob
  allowance: Allowance
}

type Done = (error: unknown, info?: Partial<MulterFile>) => void

/** A part's file name without directories (RFC 7578 section 4.2); `/` and `\` both separate them. */
const baseName = (fileName: string): string =>
  fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)

async function removeBytes(store: BlobStore, { blob, allowance }: Received): Promise<void> {
  try {
    if (blob.inline === null) await store.remove(blob.key)
  } finally {
    allowance.end()
  }
}

const broken = (cause: unknown): AppError => new AppError('invalid_input', 'The multipart body is broken', { cause })
const notOneFile = (cause?: unknown): AppError => {
  const message = "Send exactly one file, in the part 'file'"
  return new AppError('invalid_input', message, { cause, fields: { file: message } })
}
const tooManyFields = (cause?: unknown): AppError =>
  new AppError('invalid_input', 'The form has too many fields, or a name that is too long', { cause })
const tooLarge = (name: string): AppError => invalidField(name, 'This field is too large')

/** Turns errors of multer and busboy into API errors. */
function toUploadError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = systemCode(error)
  if (code?.startsWith('LIMIT_FILE') || code === 'LIMIT_UNEXPECTED_FILE') return notOneFile(error)
  if (code?.startsWith('LIMIT_') || code?.endsWith('_FIELD_NAME')) return tooManyFields(error)
  return broken(error)
}

/** Whether the stream of the file's part failed, as it does when the client disconnects. */
const isBroken = ({ stream }: MulterFile, error: unknown): boolean =>
  stream.errored === error || systemCode(error) === 'ERR_STREAM_PREMATURE_CLOSE'

/**
 * The storage engine of one request. It reports an error to `refuse` at once, because multer reports errors only after
 * the whole body.
 */
function createEngine(options: UploadOptions, refuse: (error: unknown) => void) {
  async function handle(request: IncomingMessage & { body?: FormFields }, file: MulterFile): Promise<Received> {
    const allowance = await options.before({ ...request.body })
    const { limit, take } = allowance
    try {
      const blob = await receiveBlob(options.store, file.stream, { limit, take, expected: options.contentLength })
      return { blob, allowance }
    } catch (error) {
      allowance.end()
      throw error
    }
  }
  return {
    _handleFile: (request: IncomingMessage, file: MulterFile, done: Done) => {
      handle(request, file).then(
        received => done(null, { received }),
        error => {
          refuse(isBroken(file, error) ? broken(error) : error)
          file.stream.resume()
          done(error)
        },
      )
    },
    _removeFile: (_request: IncomingMessage, file: MulterFile, done: Done) => {
      const removed = file.received === undefined ? Promise.resolve() : removeBytes(options.store, file.received)
      removed.then(() => done(null), done)
    },
  }
}

/** Feeds the parser, and reports errors at once that multer would hold back until the end of the body. */
const feedParser =
  (countField: (bytes: number) => void, refuse: (error: unknown) => void) =>
  (request: IncomingMessage, parser: Writable): void => {
    for (const event of ['partsLimit', 'fieldsLimit']) parser.once(event, () => refuse(tooManyFields()))
    parser.once('filesLimit', () => refuse(notOneFile()))
    parser.on('file', (name?: string) => {
      if (name !== 'file') refuse(notOneFile())
    })
    parser.on('field', (name: string | undefined, value: string, info: { valueTruncated: boolean }) => {
      if (name === undefined) return refuse(broken(undefined))
      if (info.valueTruncated) refuse(tooLarge(name))
      try {
        countField(name.length + value.length)
      } catch (error) {
        refuse(error)
      }
    })
    request.pipe(parser)
  }

/**
 * Receives the form. When it resolves, the bytes are durable or in memory, and the caller must save a row for them or
 * remove them within `allowance.store`. When it rejects, no bytes are left.
 */
export async function receiveUpload(ctx: Context, options: UploadOptions): Promise<ReceivedUpload> {
  refuseEncoding(ctx)
  if (!ctx.is('multipart/form-data')) throw new AppError('unsupported_media', 'Send the file as multipart/form-data')
  const [, boundary = ''] = /boundary=("[^"]*"|[^;]*)/i.exec(ctx.get('Content-Type')) ?? []
  if (boundary.length > maxBoundary + 2) throw new AppError('invalid_input', 'The boundary of the form is too long')
  let refuse: (error: unknown) => void = () => undefined
  const refused = new Promise<never>((_resolve, reject) => {
    refuse = reject
  })
  // preservePath: otherwise multer would silently strip directories by the server's own path rules.
  const multer = createMulter({
    storage: createEngine(options, error => refuse(error)),
    streamHandler: feedParser(options.countField, error => refuse(error)),
    limits,
    preservePath: true,
    defParamCharset: 'utf8',
  } as unknown as createMulter.Options)
  const parsed = multer
    .single('file')(ctx as never, async () => undefined)
    .catch((error: unknown) => {
      throw toUploadError(error)
    })
  await Promise.race([parsed, refused])
  const file = (ctx as unknown as { file?: MulterFile }).file
  if (file?.received === undefined)
    throw new AppError('invalid_input', "Send the file in the part 'file'", {
      fields: { file: 'This field is required' },
    })
  return {
    fields: { ...(ctx.request as { body?: FormFields }).body },
    upload: { fileName: baseName(file.originalname), blob: file.received.blob },
    allowance: file.received.allowance,
  }
}
