/** What all writes share that go through many rows in slices, so that others get their turn in between. */

/** Rows of one write, for which others wait: with 250 small writes waited for up to 131 ms (p95) on SQLite, so 57 ms. */
export const sliceSize = 100

/** ms between two slices, in which whoever waited gets the processor too. */
export const pauseTime = 5
