/** The height of a list's rows, in pixels: higher on a phone, for fingers, but less so where the window is low. */
import { useLow } from './use-low.ts'
import { usePhone } from './use-phone.ts'

/** `high` and `low` are heights on a phone. */
export function useRowHeight(high = 56, low = 44): number {
  const isLow = useLow()
  return usePhone() ? (isLow ? low : high) : 36
}
