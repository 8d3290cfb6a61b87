/** Defines an API call: its method, path, input and output. */
import * as z from 'zod/mini'
import type { About } from './about.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS'

/** Whether a method only reads (RFC 9110 section 9.2.1). */
export const isSafe = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method)

/** How the input is sent, apart from the parameters in the path; of `bytes` the rest is in headers. */
type Carrier = 'query' | 'json' | 'multipart' | 'multipart-many' | 'bytes'

/**
 * One call. `path` is relative to the API base (`/api`) and may hold `:name` parameters, which are also fields of the
 * input. `output` is the schema of the envelope's `data`: types, the OpenAPI document and tests are derived from it,
 * and the terminal client checks the server's answers against it.
 */
export interface Endpoint<Input extends z.ZodMiniType = z.ZodMiniType, Output extends z.ZodMiniType = z.ZodMiniType> {
  readonly method: Method
  readonly path: string
  readonly input: Input
  readonly carrier: Carrier
  /** The schema of the same input sent as a urlencoded HTML form; undefined if the call accepts no form. */
  readonly form: z.ZodMiniType<z.output<Input>> | undefined
  readonly output: Output
  /** The call's texts in the API's document; empty in the page's bundle. */
  readonly about: About
}

/** What a caller may pass: ids in paths and queries as numbers or digit strings; fields with defaults are optional. */
export type InputOf<E> = E extends Endpoint<infer Input, z.ZodMiniType> ? z.input<Input> : never
/** What the server's handler receives after parsing. */
export type ParsedInputOf<E> = E extends Endpoint<infer Input, z.ZodMiniType> ? z.output<Input> : never
/** The type of the envelope's `data`. */
export type OutputOf<E> = E extends Endpoint<z.ZodMiniType, infer Output> ? z.output<Output> : never

/** The output of calls whose answer is in its headers alone. */
export const noBody = z.custom<undefined>()

/** The output of calls that send a file's bytes instead of the envelope. */
export const bytes = z.custom<Uint8Array>()

const carrierOf = (method: Method): Carrier => (isSafe(method) || method === 'DELETE' ? 'query' : 'json')

/** Declares a call; `.returns(output, about(…))` adds the schema of its answer and its texts in the API's document. */
export function endpoint<Input extends z.ZodMiniType>(
  method: Method,
  path: string,
  input: Input,
  carrier: Carrier = carrierOf(method),
  form?: z.ZodMiniType<z.output<Input>>,
) {
  return {
    returns: <Output extends z.ZodMiniType>(output: Output, about: About): Endpoint<Input, Output> => ({
      method,
      path,
      input,
      carrier,
      form,
      output,
      about,
    }),
  }
}

/** The names of a path's parameters, in order: `/files/:id/rename` gives `['id']`. */
export const pathParams = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
