/** Parses sizes as users type them. */
const units: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** Parses a size such as `500`, `32MB` or `1.5 GB` (base 1024) into bytes; returns null if the text is not a size. */
export function bytesOf(text: string): number | null {
  const [, number, unit = 'B'] = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)?$/i.exec(text.trim()) ?? []
  const bytes = Math.floor(Number(number) * (units[unit.toUpperCase()] ?? Number.NaN))
  return Number.isSafeInteger(bytes) ? bytes : null
}
