/** How many requests of a device key are under way: it has no budget, but at most 16 at once. */
import { maxDeviceKeyRequests } from '../api/limits.ts'

export interface DevicePermits {
  /** Counts one more request of a key; false where it has as many under way as it may. */
  begin(keyId: number): boolean | Promise<boolean>
  /** Takes that count back. */
  end(keyId: number): void
}

/** Opens the counts of one process; `others` tells what other processes count of a key. */
export function openDevicePermits(others: (keyId: number) => number = () => 0) {
  const held = new Map<number, number>()
  const underWay = (keyId: number): number => held.get(keyId) ?? 0
  return {
    begin: (keyId: number): boolean => {
      if (underWay(keyId) + others(keyId) >= maxDeviceKeyRequests) return false
      held.set(keyId, underWay(keyId) + 1)
      return true
    },
    end: (keyId: number): void => {
      if (underWay(keyId) > 1) held.set(keyId, underWay(keyId) - 1)
      else held.delete(keyId)
    },
    underWay,
  }
}
