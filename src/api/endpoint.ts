/** What a call of the API is: its method, its path, what it takes and what it answers. */
import type { z } from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** How the input travels beside the path's own parameters. */
type Carrier = 'query' | 'json' | 'multipart'

/**
 * One call. `path` is relative to the API base (`/api`) and may hold `:name` parameters, which are fields of the
 * input like any other. `output` exists for the type checker alone: it carries the type of the envelope's `data`.
 */
export interface Endpoint<Input extends z.ZodMiniType = z.ZodMiniType, Output = unknown> {
  readonly method: Method
  readonly path: string
  readonly input: Input
  readonly carrier: Carrier
  readonly output?: Output
}

/** What a caller may pass: numbers or their digits in paths and queries, defaults left out. */
export type InputOf<E> = E extends Endpoint<infer Input, unknown> ? z.input<Input> : never
/** What the server's function receives after parsing. */
export type ParsedInputOf<E> = E extends Endpoint<infer Input, unknown> ? z.output<Input> : never
/** The type of the envelope's `data`. */
export type OutputOf<E> = E extends Endpoint<z.ZodMiniType, infer Output> ? Output : never

const carrierOf = (method: Method): Carrier => (method === 'GET' || method === 'DELETE' ? 'query' : 'json')

/** Declares a call; `.returns<Output>()` gives it the type of its answer. */
export function endpoint<Input extends z.ZodMiniType>(
  method: Method,
  path: string,
  input: Input,
  carrier: Carrier = carrierOf(method),
) {
  return { returns: <Output>(): Endpoint<Input, Output> => ({ method, path, input, carrier }) }
}

/** The names of a path's parameters, in order: `/files/:id/rename` gives `['id']`. */
export const pathParams = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
