/** The server's two clocks: the time of day, and a monotonic one. */

/** Durations in ms. */
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export interface Clock {
  /** ms, UTC, by the machine's clock, which may be wrong or be set. */
  now(): number
  /** ms since an arbitrary moment. Use it to measure durations: changes of the machine's time do not affect it. */
  monotonic(): number
}

export const systemClock: Clock = { now: Date.now, monotonic: () => performance.now() }
