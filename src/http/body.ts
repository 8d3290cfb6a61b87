/** Reads a JSON body or a form: UTF-8, no Content-Encoding, with limits on bytes, values and nesting. */
import type { IncomingMessage } from 'node:http'
import { parse as parseForm } from 'node:querystring'
import { finished } from 'node:stream'
import type { Context } from 'koa'
import { maxBatchSize } from '../api/limits.ts'
import { AppError } from '../base/errors.ts'
import { checkJsonSize } from './json-scan.ts'

const notJson = (cause?: unknown): AppError => new AppError('invalid_input', 'The body is not a JSON object', { cause })
const notForm = (cause?: unknown): AppError => new AppError('invalid_input', 'The body is not a form', { cause })

/** Fields of a form that are read: one more than any call accepts, so that its schema refuses them and names its limit. */
const maxFormFields = maxBatchSize + 1

/** Throws 415 for a body with a Content-Encoding. */
export function refuseEncoding(ctx: Context): void {
  const encoding = ctx.get('Content-Encoding')
  if (encoding !== '' && encoding !== 'identity') {
    throw new AppError('unsupported_media', 'Send the body without a Content-Encoding')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const sizeText = (bytes: number): string => (bytes < 1024 ** 2 ? `${bytes / 1024} KB` : `${bytes / 1024 ** 2} MB`)

/** Called with the number of bytes as they arrive; when it throws, the body is refused. */
type CountBytes = (bytes: number) => void

const tooLarge = (limit: number): AppError =>
  new AppError('body_too_large', `The body is larger than ${sizeText(limit)}`)

/**
 * Reads the whole body, and counts its bytes. Of a refused body it keeps nothing and reads no more, because its client
 * may continue to send it until the answer has been sent.
 */
function readBytes(req: IncomingMessage, limit: number, count: CountBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    const take = (piece: Buffer): void => {
      try {
        size += piece.length
        if (size > limit) throw tooLarge(limit)
        count(piece.length)
        pieces.push(piece)
      } catch (error) {
        req.off('data', take)
        req.pause()
        pieces.length = 0
        reject(error)
      }
    }
    req.on('data', take)
    finished(req, error => {
      if (error) reject(error)
      else resolve(Buffer.concat(pieces))
      pieces.length = 0
    })
  })
}

async function receive(
  { req, request }: Context,
  limit: number,
  count: CountBytes,
  broken: (cause: unknown) => AppError,
): Promise<Buffer> {
  if ((request.length ?? 0) > limit) throw tooLarge(limit)
  try {
    return await readBytes(req, limit, count)
  } catch (error) {
    throw error instanceof AppError ? error : broken(error)
  }
}

/** A body that has arrived. Parsing it takes time, in which the process does nothing else. */
interface Received {
  bytes: number
  parse(): Record<string, unknown>
}

/** Receives a JSON object of at most `limit` bytes; an empty body is an empty object. */
export async function receiveJson(ctx: Context, limit: number, count: CountBytes): Promise<Received> {
  refuseEncoding(ctx)
  const isJson = Boolean(ctx.is('application/json'))
  const wrongType = () => new AppError('unsupported_media', 'Send the body as application/json')
  if (ctx.get('Content-Type') !== '' && ctx.request.length !== 0 && !isJson) throw wrongType()
  const bytes = await receive(ctx, limit, count, notJson)
  if (bytes.length > 0 && !isJson) throw wrongType()
  return { bytes: bytes.length, parse: () => (bytes.length === 0 ? {} : parseJson(bytes)) }
}

/** Parses a JSON object. Throws `invalid_input` for any other text, and for one with too many values or levels. */
export function parseJson(bytes: Buffer): Record<string, unknown> {
  checkJsonSize(bytes)
  const value = jsonOf(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJson()
  return value as Record<string, unknown>
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    throw notJson(error)
  }
}

const formType = 'application/x-www-form-urlencoded'

export const isForm = (ctx: Context): boolean => Boolean(ctx.is(formType))

/** Receives a form of at most `limit` bytes; a repeated field is a list. */
export async function receiveForm(ctx: Context, limit: number, count: CountBytes): Promise<Received> {
  refuseEncoding(ctx)
  const bytes = await receive(ctx, limit, count, notForm)
  return { bytes: bytes.length, parse: () => parseFields(bytes) }
}

function parseFields(bytes: Buffer): Record<string, unknown> {
  try {
    return { ...parseForm(utf8.decode(bytes), '&', '=', { maxKeys: maxFormFields }) }
  } catch (error) {
    throw notForm(error)
  }
}
