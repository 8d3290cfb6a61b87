/** Reads a JSON body: at most 1 MB and 20 levels, UTF-8, nothing encoded. */
import type { Context } from 'koa'
import getRawBody from 'raw-body'
import { maxJsonBytes, maxJsonDepth } from '../api/limits.ts'
import { AppError } from '../errors.ts'

const notJson = (cause?: unknown): AppError => new AppError('invalid_input', 'The body is not a JSON object', { cause })

/** Nesting of a parsed value, counted without recursion so that no input can exhaust the stack. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxJsonDepth) return true
    level = level.flatMap(entry => (typeof entry === 'object' && entry !== null ? Object.values(entry) : []))
  }
  return false
}

/** 415 for a body whose bytes are not what their type says. */
export function refuseEncoding(ctx: Context): void {
  const encoding = ctx.get('Content-Encoding')
  if (encoding !== '' && encoding !== 'identity') {
    throw new AppError('unsupported_media', 'Send the body without a Content-Encoding')
  }
}

async function readText(ctx: Context): Promise<string> {
  try {
    return await getRawBody(ctx.req, { limit: maxJsonBytes, length: ctx.get('Content-Length'), encoding: 'utf8' })
  } catch (error) {
    const { type } = error as { type?: string }
    if (type === 'entity.too.large') {
      ctx.set('Connection', 'close')
      throw new AppError('body_too_large', 'The body is larger than 1 MB', { cause: error })
    }
    throw notJson(error)
  }
}

/** The body as an object; an empty body is an empty object. */
export async function readJson(ctx: Context): Promise<Record<string, unknown>> {
  refuseEncoding(ctx)
  const hasBody = ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length') || 0) > 0
  if (!hasBody) return {}
  if (!ctx.is('application/json')) throw new AppError('unsupported_media', 'Send the body as application/json')
  const text = await readText(ctx)
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJson()
  if (isTooDeep(value)) throw new AppError('invalid_input', `The body is nested deeper than ${maxJsonDepth} levels`)
  return value as Record<string, unknown>
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notJson(error)
  }
}
