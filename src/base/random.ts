/** Random bytes from a pool, because a system call for each few bytes costs too much. */
import { randomBytes } from 'node:crypto'

const poolSize = 4096
let pool: Buffer = Buffer.alloc(0)

/**
 * Returns `count` (at most 256) cryptographically random bytes, each given out only once. The buffer is a view of the
 * pool, so read it at once.
 */
export function takeRandom(count: number): Buffer {
  if (pool.length < count) pool = randomBytes(poolSize)
  const taken = pool.subarray(0, count)
  pool = pool.subarray(count)
  return taken
}
