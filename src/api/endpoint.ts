/** What a call of the API is: its method, its path, what it takes and what it answers. */
import * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** How the input travels beside the path's own parameters. */
type Carrier = 'query' | 'json' | 'multipart'

/**
 * One call. `path` is relative to the API base (`/api`) and may hold `:name` parameters, which are fields of the
 * input like any other. `output` is the form of the envelope's `data`: types, the API's document and tests are made
 * from it, and the terminal client holds to it what a server answers.
 */
export interface Endpoint<Input extends z.ZodMiniType = z.ZodMiniType, Output extends z.ZodMiniType = z.ZodMiniType> {
  readonly method: Method
  readonly path: string
  readonly input: Input
  readonly carrier: Carrier
  /** The same input as the texts of a page's urlencoded form; absent where a call takes none. */
  readonly form: z.ZodMiniType<z.output<Input>> | undefined
  readonly output: Output
}

/** What a caller may pass: numbers or their digits in paths and queries, defaults left out. */
export type InputOf<E> = E extends Endpoint<infer Input, z.ZodMiniType> ? z.input<Input> : never
/** What the server's function receives after parsing. */
export type ParsedInputOf<E> = E extends Endpoint<infer Input, z.ZodMiniType> ? z.output<Input> : never
/** The type of the envelope's `data`. */
export type OutputOf<E> = E extends Endpoint<z.ZodMiniType, infer Output> ? z.output<Output> : never

/** The answer of calls that send a file's bytes in place of the envelope. */
export const bytes = z.custom<Uint8Array>()

const carrierOf = (method: Method): Carrier => (method === 'GET' || method === 'DELETE' ? 'query' : 'json')

/** Declares a call; `.returns(output)` says what it answers. */
export function endpoint<Input extends z.ZodMiniType>(
  method: Method,
  path: string,
  input: Input,
  carrier: Carrier = carrierOf(method),
  form?: z.ZodMiniType<z.output<Input>>,
) {
  return {
    returns: <Output extends z.ZodMiniType>(output: Output): Endpoint<Input, Output> => ({
      method,
      path,
      input,
      carrier,
      form,
      output,
    }),
  }
}

/** The names of a path's parameters, in order: `/files/:id/rename` gives `['id']`. */
export const pathParams = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
