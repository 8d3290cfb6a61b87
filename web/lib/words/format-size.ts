/** Sizes for page and terminal: in Bytes (even for one), KB, MB or GB, base 1024. */
const units = ['Bytes', 'KB', 'MB', 'GB'] as const

function scaleOf(bytes: number): { unit: string; divisor: number; digits: number } {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return { unit: units[power] ?? 'Bytes', divisor: 1024 ** power, digits: power === 0 ? 0 : 2 }
}

/** `15000` becomes `14.65 KB`; whole bytes have no decimals. */
export function formatSize(bytes: number): string {
  const { unit, divisor, digits } = scaleOf(bytes)
  return `${(bytes / divisor).toFixed(digits)} ${unit}`
}

/** How much of a size is done, both in the unit of the total: `18.18 of 28.40 MB`. */
export function formatShare(done: number, total: number): string {
  const { unit, divisor, digits } = scaleOf(total)
  return `${(done / divisor).toFixed(digits)} of ${(total / divisor).toFixed(digits)} ${unit}`
}

/** A limit without trailing zeros: `33554432` becomes `32MB`. */
export function formatLimit(bytes: number): string {
  const { unit, divisor } = scaleOf(bytes)
  const value = Number((bytes / divisor).toFixed(2))
  return unit === 'Bytes' ? `${value} ${unit}` : `${value}${unit}`
}
