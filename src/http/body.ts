/** Reads a JSON body or a page's form: at most 1 MB and 20 levels, UTF-8, nothing encoded. */
import { parse as parseForm } from 'node:querystring'
import type { Context } from 'koa'
import getRawBody from 'raw-body'
import { maxJsonBytes, maxJsonDepth } from '../api/limits.ts'
import { AppError, invalidField } from '../errors.ts'

const notJson = (cause?: unknown): AppError => new AppError('invalid_input', 'The body is not a JSON object', { cause })
const notForm = (cause?: unknown): AppError => new AppError('invalid_input', 'The body is not a form', { cause })

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Nesting of a field's value in a body, counted without recursion so that no input can exhaust the stack. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 2; level.length > 0; depth++) {
    if (depth > maxJsonDepth) return true
    level = level.flatMap(entry => Object.values(entry).filter(isContainer))
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

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function readText(ctx: Context, broken: (cause: unknown) => AppError): Promise<string> {
  try {
    // Node has counted a declared length already.
    return utf8.decode(await getRawBody(ctx.req, { limit: maxJsonBytes, length: ctx.request.length }))
  } catch (error) {
    const { type } = error as { type?: string }
    if (type !== 'entity.too.large') throw broken(error)
    throw new AppError('body_too_large', 'The body is larger than 1 MB', { cause: error })
  }
}

/** The body as an object; an empty body is an empty object. */
export async function readJson(ctx: Context): Promise<Record<string, unknown>> {
  refuseEncoding(ctx)
  const isJson = Boolean(ctx.is('application/json'))
  const wrongType = () => new AppError('unsupported_media', 'Send the body as application/json')
  if (ctx.get('Content-Type') !== '' && ctx.request.length !== 0 && !isJson) throw wrongType()
  const text = await readText(ctx, notJson)
  if (text === '') return {}
  if (!isJson) throw wrongType()
  const value = parse(text)
  if (!isContainer(value) || Array.isArray(value)) throw notJson()
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

/** The form as an object; a field that comes several times is a list. */
export async function readForm(ctx: Context): Promise<Record<string, unknown>> {
  refuseEncoding(ctx)
  // Node reads but the first thousand fields unless it is told not to count; the size bounds them.
  return { ...parseForm(await readText(ctx, notForm), '&', '=', { maxKeys: 0 }) }
}
