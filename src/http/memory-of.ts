/** Estimates the bytes that values from a request take in memory, for the budget of bodies. */

/** Bytes of an entry of a list or object, and of the head of a text. */
const entry = 32

/** V8 stores a text with a character outside of Latin-1 in two bytes for each. */
const isWide = (text: string): boolean => /[^\0-\xff]/.test(text)

const ofText = (text: string): number => entry + text.length * (isWide(text) ? 2 : 1)

/** The bytes of a text, or of what was parsed from JSON. */
export function memoryOf(value: unknown): number {
  if (typeof value === 'string') return ofText(value)
  if (typeof value !== 'object' || value === null) return entry
  return Object.values(value).reduce<number>((sum, one) => sum + entry + memoryOf(one), entry)
}
