/** Limits the running requests of a device key. Such a key has no request budget, but at most 16 requests at once. */
import { maxDeviceKeyRequests } from '../api/limits.ts'

export interface DevicePermits {
  /** Counts one more running request; returns false if the key already has the maximum. */
  begin(keyId: number): boolean | Promise<boolean>
  /** Ends a request that `begin` counted. */
  end(keyId: number): void
}

/** Opens the counts of one process; `others` returns the count of a key in the other processes. */
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
