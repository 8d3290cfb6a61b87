/** Compares two buffers at once, because Vitest compares them byte by byte, which takes seconds for a megabyte. */
import { expect } from 'vitest'

expect.addEqualityTesters([(a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined)])
