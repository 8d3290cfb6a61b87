/** The two clocks of the server: the one that says what time it is, and the one that only ever goes forward. */

/** In ms, as both clocks count. */
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export interface Clock {
  /** ms, UTC; what the machine believes, which somebody may set. */
  now(): number
  /** ms since some moment; measures how long something took, whatever becomes of the other. */
  monotonic(): number
}

export const systemClock: Clock = { now: Date.now, monotonic: () => performance.now() }
