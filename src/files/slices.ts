/** What all writes share that go through many rows in slices, so that others get their turn in between. */

/** Rows of one write, for which others wait; with 500 a busy machine made small writes wait for 150 ms (p95). */
export const sliceSize = 250

/** ms between two slices, in which whoever waited gets the processor too. */
export const pauseTime = 5
