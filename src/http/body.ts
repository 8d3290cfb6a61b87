/** Reads a JSON body or a form: UTF-8, no Content-Encoding, with limits on bytes and on nesting (20 levels). */
import { parse as parseForm } from 'node:querystring'
import type { Context } from 'koa'
import getRawBody from 'raw-body'
import { maxBatchSize, maxJsonDepth } from '../api/limits.ts'
import { AppError, invalidField } from '../base/errors.ts'

const notJson = (cause?: unknown): AppError => new AppError('invalid_input', 'The body is not a JSON object', { cause })
const notForm = (cause?: unknown): AppError => new AppError('invalid_input', 'The body is not a form', { cause })

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Maximum number of fields of an object or form, and entries of a list, that are read. It is one more than any call
 * accepts: so its schema still refuses the input and names its limit, but never has to check half a million entries.
 */
const maxParts = maxBatchSize + 1

const tooManyParts = (): AppError => new AppError('invalid_input', 'The body has too many fields')

/** Returns the lists and objects directly inside one. If it is a list, cuts off its entries beyond `maxParts`. */
function containersIn(container: object): object[] {
  if (Array.isArray(container)) container.length = Math.min(container.length, maxParts)
  const entries: unknown[] = Object.values(container)
  if (entries.length > maxParts) throw tooManyParts()
  return entries.filter(isContainer)
}

/**
 * Whether a field's value is nested too deeply; also cuts lists that are too long. Works level by level, without
 * recursion, so that no input can exhaust the stack. Throws `invalid_input` if it holds more lists and objects than any
 * call accepts.
 */
function isTooDeep(value: unknown): boolean {
  let seen = 0
  let level = [value].filter(isContainer)
  for (let depth = 2; level.length > 0; depth++) {
    if (depth > maxJsonDepth) return true
    seen += level.length
    if (seen > 2 * maxParts) throw tooManyParts()
    level = level.flatMap(containersIn)
  }
  return false
}

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

/** Reads the whole body and counts its bytes. */
async function readBytes({ req, request }: Context, limit: number, count: CountBytes): Promise<Buffer> {
  let onData: (piece: Buffer) => void = () => undefined
  const refused = new Promise<never>((_resolve, reject) => {
    onData = piece => {
      try {
        count(piece.length)
      } catch (error) {
        reject(error)
      }
    }
  })
  req.on('data', onData)
  try {
    // Node itself enforces a declared length.
    return await Promise.race([getRawBody(req, { limit, length: request.length }), refused])
  } finally {
    req.off('data', onData)
  }
}

async function readText(
  ctx: Context,
  limit: number,
  count: CountBytes,
  broken: (cause: unknown) => AppError,
): Promise<string> {
  try {
    return utf8.decode(await readBytes(ctx, limit, count))
  } catch (error) {
    if (error instanceof AppError) throw error
    const { type } = error as { type?: string }
    if (type !== 'entity.too.large') throw broken(error)
    throw new AppError('body_too_large', `The body is larger than ${sizeText(limit)}`, { cause: error })
  }
}

/** Returns the body as an object, of at most `limit` bytes; an empty body is an empty object. */
export async function readJson(ctx: Context, limit: number, count: CountBytes): Promise<Record<string, unknown>> {
  refuseEncoding(ctx)
  const isJson = Boolean(ctx.is('application/json'))
  const wrongType = () => new AppError('unsupported_media', 'Send the body as application/json')
  if (ctx.get('Content-Type') !== '' && ctx.request.length !== 0 && !isJson) throw wrongType()
  const text = await readText(ctx, limit, count, notJson)
  if (text === '') return {}
  if (!isJson) throw wrongType()
  const value = parse(text)
  if (!isContainer(value) || Array.isArray(value)) throw notJson()
  if (Object.keys(value).length > maxParts) throw tooManyParts()
  const deep = Object.entries(value).find(([, entry]) => isTooDeep(entry))
  if (deep !== undefined) throw invalidField(deep[0], `The body is nested deeper than ${maxJsonDepth} levels`)
  return value as Record<string, unknown>
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notJson(error)
  }
}

const formType = 'application/x-www-form-urlencoded'

export const isForm = (ctx: Context): boolean => Boolean(ctx.is(formType))

/** Returns a form of at most `limit` bytes as an object; a repeated field is a list. Reads only `maxParts` fields. */
export async function readForm(ctx: Context, limit: number, count: CountBytes): Promise<Record<string, unknown>> {
  refuseEncoding(ctx)
  return { ...parseForm(await readText(ctx, limit, count, notForm), '&', '=', { maxKeys: maxParts }) }
}
