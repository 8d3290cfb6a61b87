/** Reads JSON that a column holds: what is broken there breaks no list, is told once, and is mended by `fsck`. */
import type * as z from 'zod/mini'

/** Places that are remembered as told. */
const maxTold = 1000
const told = new Set<string>()
let tell: (place: string) => void = () => undefined

/** Says who is told of a broken value, by its place such as `api_keys 3`; the last who said so, of each place once. */
export function onBrokenValue(listener: (place: string) => void): void {
  told.clear()
  tell = listener
}

export interface StoredForm<Value> {
  schema: z.ZodMiniType<Value>
  /** What is shown in the place of what cannot be read: no more than nothing. */
  otherwise: Value
}

/** The value of a text; undefined where it is no JSON of that form. */
export function parseStored<Value>(schema: z.ZodMiniType<Value>, text: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The value of a text, or what stands for it. `place` is the table's name and the row's id. */
export function readStored<Value>({ schema, otherwise }: StoredForm<Value>, text: string, place: string): Value {
  const value = parseStored(schema, text)
  if (value !== undefined) return value
  if (!told.has(place) && told.size < maxTold) {
    told.add(place)
    tell(place)
  }
  return otherwise
}
