/** Reads JSON from a column. A broken value fails no list; it is reported once, and `fsck` repairs it. */
import type * as z from 'zod/mini'

/** Maximum number of places remembered as reported. */
const maxTold = 1000
const told = new Set<string>()
let tell: (place: string) => void = () => undefined

/** Sets the only listener for broken values. It gets each place, such as `api_keys 3`, once. */
export function onBrokenValue(listener: (place: string) => void): void {
  told.clear()
  tell = listener
}

export interface StoredForm<Value> {
  schema: z.ZodMiniType<Value>
  /** Replaces a value that cannot be read; it must grant and reveal nothing. */
  otherwise: Value
}

/** Returns the parsed value, or undefined if the text is not JSON of that form. */
export function parseStored<Value>(schema: z.ZodMiniType<Value>, text: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns the parsed value, or `otherwise` if it is broken. `place` is the table's name and the row's id. */
export function readStored<Value>({ schema, otherwise }: StoredForm<Value>, text: string, place: string): Value {
  const value = parseStored(schema, text)
  if (value !== undefined) return value
  if (!told.has(place) && told.size < maxTold) {
    told.add(place)
    tell(place)
  }
  return otherwise
}
