/** Compares the bytes of two buffers at once: Vitest goes through them one by one, seconds long for a megabyte. */
import { expect } from 'vitest'

expect.addEqualityTesters([(a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined)])
