/** The height of a list's rows, in pixels: higher for fingers, and on a phone, but less so where the window is low. */
import { useCoarse } from './use-coarse.ts'
import { useLow } from './use-low.ts'
import { usePhone } from './use-phone.ts'

/** `high` and `low` are heights on a phone. */
export function useRowHeight(high = 56, low = 44): number {
  const isLow = useLow()
  const wide = useCoarse() && !isLow ? 44 : 36
  return usePhone() ? (isLow ? low : high) : wide
}
