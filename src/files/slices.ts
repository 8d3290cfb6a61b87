/** Constants for writes that process many rows in slices, so that other writes get their turn in between. */

/**
 * Rows per write, for which other writes wait: on SQLite up to 57 ms (p95) for small writes, but 131 ms with 250 rows.
 */
export const sliceSize = 100

/** Pause between two slices in ms, so that waiting requests get the processor too. */
export const pauseTime = 5
