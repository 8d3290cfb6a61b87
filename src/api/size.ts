/** Sizes as people type and read them; base 1024. */
const typedUnits: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** Parses a size such as `500`, `32MB` or `1.5 GB` (base 1024) into bytes; returns null if the text is not a size. */
export function bytesOf(text: string): number | null {
  const [, number, unit = 'B'] = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)?$/i.exec(text.trim()) ?? []
  const bytes = Math.floor(Number(number) * (typedUnits[unit.toUpperCase()] ?? Number.NaN))
  return Number.isSafeInteger(bytes) ? bytes : null
}

const shownUnits = ['KB', 'MB', 'GB']

/** Formats bytes as the page and the terminal show them: `1 Bytes`, `1.50 MB`; base 1024. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} Bytes`
  let value = bytes / 1024
  let unit = 0
  while (value >= 1024 && unit < shownUnits.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value.toFixed(2)} ${shownUnits[unit]}`
}
