/** Parses a multipart form: multer reads it, and a storage engine hands each file to the caller as a stream. */
import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import createMulter from '@koa/multer'
import type { Context } from 'koa'
import { AppError, clientHasGone, invalidField, systemCode } from '../base/errors.ts'
import { refuseEncoding } from './body.ts'
import { countParsing } from './count-parsing.ts'
import { type Kept, openParts } from './received-parts.ts'
import { openRefusal, type Refusal } from './refusal.ts'

/** The most characters of a boundary (RFC 2046 section 5.1.1). The parser compares a longer one with every chunk. */
const maxBoundary = 70
/** Bytes of one field's value. */
const fieldSize = 64 * 1024

export type FormFields = Record<string, unknown>

interface FormRules<Received> {
  limits: { files: number; fields: number; parts: number }
  /** The most bytes of the whole body; null: the files have limits of their own. */
  maxBytes: number | null
  /** Whether the result has the fields; if not, they are kept by `onField` alone. */
  keepsFields: boolean
  /** Counts bytes in memory, or with a negative number gives them back; when it throws, the form is refused. */
  countHeld(bytes: number): void
  /** The error for a form with other files than the call expects. */
  wrongFiles(cause?: unknown): AppError
  /** Runs for each field in the order of the parts; when it throws, the form is refused. */
  onField(name: string, value: string): void
  /** Receives a file, with the fields sent before it; when it throws, the form is refused. */
  receive(file: FormFile, fields: FormFields): Promise<Received>
  /** Runs after the last part with the number of files; when it throws, the form is refused. */
  onEnd(files: number): void
  /** Undoes `receive` for a form that is refused later. */
  remove(received: Received): Promise<void>
}

/** A file's part as it arrives. */
export interface FormFile {
  /** As the client sent it. */
  originalname: string
  encoding: string
  mimetype: string
  stream: Readable
}

/** A request while multer parses it. */
type ParsedRequest = IncomingMessage & { body?: FormFields }

interface ReceivedFile<Received> {
  /** Without directories. */
  fileName: string
  received: Received
}

type Done = (error: unknown, kept?: Kept) => void

/** A part's file name without directories (RFC 7578 section 4.2); `/` and `\` both separate them. */
const baseName = (fileName: string): string =>
  fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)

export const broken = (cause: unknown): AppError =>
  new AppError('invalid_input', 'The multipart body is broken', { cause })
const tooManyFields = (cause?: unknown): AppError =>
  new AppError('invalid_input', 'The form has too many fields, or a name that is too long', { cause })
const tooLarge = (name: string): AppError => invalidField(name, 'This field is too large')

/** Whether the stream of the file's part failed, as it does when the client disconnects. */
export const isBroken = ({ stream }: FormFile, error: unknown): boolean =>
  stream.errored === error || systemCode(error) === 'ERR_STREAM_PREMATURE_CLOSE'

/**
 * The storage engine of one request. It reports an error to `refuse` at once, because multer reports errors only after
 * the whole body.
 */
const createEngine = <Received>(
  { receive, remove }: FormRules<Received>,
  parts: ReturnType<typeof openParts<Received>>,
  { isRefused, refuse }: Refusal,
) => ({
  _handleFile: (request: ParsedRequest, file: FormFile, done: Done) => {
    if (isRefused()) {
      file.stream.resume()
      return done(broken(undefined))
    }
    receive(file, { ...request.body })
      .then(async received => {
        if (!isRefused()) return done(null, parts.add(received))
        await remove(received)
        done(broken(undefined))
      })
      .catch(error => {
        refuse(isBroken(file, error) ? broken(error) : error)
        file.stream.resume()
        done(error)
      })
  },
  _removeFile: (_request: IncomingMessage, { part }: Partial<Kept>, done: Done) => {
    parts.drop(part).then(() => done(null), done)
  },
})

const bodyTooLarge = (most: number): AppError =>
  new AppError('body_too_large', `The body is larger than ${most / 1024 ** 2} MB`)

/** Refuses a body beyond `most` bytes, which a body of chunks reaches without having declared a length. */
function limitBytes(request: IncomingMessage, most: number, refuse: (error: unknown) => void): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > most) refuse(bodyTooLarge(most))
  })
}

/** Feeds the parser, and reports errors at once that multer would hold back until the end of the body. */
const feedParser =
  ({ wrongFiles, onField, maxBytes, keepsFields, countHeld }: FormRules<never>, { isRefused, refuse }: Refusal) =>
  (request: ParsedRequest, parser: Writable): void => {
    if (maxBytes !== null) limitBytes(request, maxBytes, refuse)
    countParsing(request, parser, bytes => {
      try {
        countHeld(bytes)
      } catch (error) {
        refuse(error)
      }
    })
    for (const event of ['partsLimit', 'fieldsLimit']) parser.once(event, () => refuse(tooManyFields()))
    parser.once('filesLimit', () => refuse(wrongFiles()))
    parser.on('file', (name?: string) => {
      if (name !== 'file') refuse(wrongFiles())
    })
    parser.on('field', (name: string | undefined, value: string, info: { valueTruncated: boolean }) => {
      if (isRefused() || !keepsFields) request.body = Object.create(null)
      if (isRefused()) return
      if (name === undefined) return refuse(broken(undefined))
      if (info.valueTruncated) refuse(tooLarge(name))
      try {
        onField(name, value)
      } catch (error) {
        refuse(error)
      }
    })
    request.pipe(parser)
  }

function checkForm(ctx: Context, maxBytes: number | null): void {
  refuseEncoding(ctx)
  if (maxBytes !== null && (ctx.request.length ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  if (!ctx.is('multipart/form-data')) throw new AppError('unsupported_media', 'Send the file as multipart/form-data')
  const [, boundary = ''] = /boundary=("[^"]*"|[^;]*)/i.exec(ctx.get('Content-Type')) ?? []
  if (boundary.length > maxBoundary + 2) throw new AppError('invalid_input', 'The boundary of the form is too long')
}

/**
 * Receives the whole form, whose files are all in parts named `file`. When it rejects, each received file is removed.
 */
export async function receiveMultipart<Received>(
  ctx: Context,
  rules: FormRules<Received>,
): Promise<{ fields: FormFields; files: ReceivedFile<Received>[] }> {
  checkForm(ctx, rules.maxBytes)
  // Of a request that has ended, multer would hear nothing.
  if (ctx.req.destroyed) throw clientHasGone()
  const refusal = openRefusal()
  const parts = openParts(rules.remove)
  // preservePath: otherwise multer would silently strip directories by the server's own path rules.
  const multer = createMulter({
    storage: createEngine(rules, parts, refusal),
    streamHandler: feedParser(rules as FormRules<never>, refusal),
    limits: { ...rules.limits, fieldSize },
    preservePath: true,
    defParamCharset: 'utf8',
  } as unknown as createMulter.Options)
  const parsed = multer
    .array('file', rules.limits.files)(ctx as never, async () => undefined)
    .catch((error: unknown) => {
      throw toFormError(error, rules.wrongFiles)
    })
  const filesOf = () => (ctx as unknown as { files?: (FormFile & Kept)[] }).files ?? []
  try {
    await Promise.race([parsed, refusal.refused])
    rules.onEnd(filesOf().length)
  } catch (error) {
    refusal.refuse(error)
    // A client may keep the connection of a refused form for a while: keep nothing of the form with it.
    Object.assign(ctx.req, { body: {} })
    await parts.dropAll()
    throw error
  }
  return {
    fields: { ...(ctx.request as { body?: FormFields }).body },
    files: filesOf().map(({ originalname, part }) => ({ fileName: baseName(originalname), received: parts.get(part) })),
  }
}

/** Turns errors of multer and busboy into API errors. */
function toFormError(error: unknown, wrongFiles: (cause: unknown) => AppError): AppError {
  if (error instanceof AppError) return error
  const code = systemCode(error)
  if (code?.startsWith('LIMIT_FILE') || code === 'LIMIT_UNEXPECTED_FILE') return wrongFiles(error)
  if (code?.startsWith('LIMIT_') || code?.endsWith('_FIELD_NAME')) return tooManyFields(error)
  return broken(error)
}
