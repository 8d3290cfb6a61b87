/** Reads the query of an address. */
import { parse } from 'node:querystring'
import type { Context } from 'koa'
import { AppError } from '../base/errors.ts'

/** Three times what any call accepts: a search has 12 fields, one of them up to 20 times. */
const maxParts = 100

/**
 * The fields of the query; a repeated field is a list. Throws `invalid_input` if there are more than 100. Koa's own
 * `ctx.query` takes time with the square of the fields: seconds for the 30 KB that an address may have.
 */
export function readQuery({ querystring }: Context): Record<string, unknown> {
  const fields = parse(querystring, '&', '=', { maxKeys: maxParts + 1 })
  if (Object.values(fields).flat().length > maxParts) {
    throw new AppError('invalid_input', `The query has more than ${maxParts} fields`)
  }
  return { ...fields }
}
