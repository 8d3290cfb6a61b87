/** Sizes in the words of the page. */
import { scaleOf } from '../../../src/api/size.ts'

export { formatSize } from '../../../src/api/size.ts'

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
