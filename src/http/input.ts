/** The input of a call: the parameters of its path, joined with its query, its body or its form. */
import type { Context } from 'koa'
import { pathParams } from '../api/endpoint.ts'
import { invalidField } from '../base/errors.ts'
import type { AnyEndpoint } from '../route.ts'
import type { PathParams } from './match.ts'
import { readQuery } from './query.ts'

/** Joins path parameters and other input. A path parameter must not occur again in the other input. */
export function joinInput(
  endpoint: AnyEndpoint,
  params: PathParams,
  rest: Record<string, unknown>,
): Record<string, unknown> {
  const twice = pathParams(endpoint.path).find(name => Object.hasOwn(rest, name))
  if (twice !== undefined) throw invalidField(twice, `Unknown field ${twice}`)
  return { ...rest, ...params }
}

/** A call with a body ignores the query, so a query is an error. */
export function refuseQuery(ctx: Context): void {
  const [name] = Object.keys(readQuery(ctx))
  if (name !== undefined) throw invalidField(name, `Unknown field ${name}`)
}
