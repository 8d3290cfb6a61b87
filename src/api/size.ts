/** Sizes as people type and read them; base 1024. */
const typedUnits: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** Parses a size such as `500`, `32MB` or `1.5 GB` (base 1024) into bytes; returns null if the text is not a size. */
export function bytesOf(text: string): number | null {
  const [, number, unit = 'B'] = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)?$/i.exec(text.trim()) ?? []
  const bytes = Math.floor(Number(number) * (typedUnits[unit.toUpperCase()] ?? Number.NaN))
  return Number.isSafeInteger(bytes) ? bytes : null
}

const shownUnits = ['Bytes', 'KB', 'MB', 'GB'] as const

/** The unit in which a size is shown, the bytes of one, and its decimals: none for whole bytes. */
export function scaleOf(bytes: number): { unit: (typeof shownUnits)[number]; divisor: number; digits: number } {
  const power = bytes < 1024 ? 0 : Math.min(shownUnits.length - 1, Math.floor(Math.log2(bytes) / 10))
  return { unit: shownUnits[power] ?? 'Bytes', divisor: 1024 ** power, digits: power === 0 ? 0 : 2 }
}

/** Formats bytes as the page and the terminal show them: `1 Bytes`, `14.65 KB`, `1.50 MB`. */
export function formatSize(bytes: number): string {
  const { unit, divisor, digits } = scaleOf(bytes)
  return `${(bytes / divisor).toFixed(digits)} ${unit}`
}
