/** Random bytes, many of which are asked of the system at once: to ask it for each few costs more than they are needed for. */
import { randomBytes } from 'node:crypto'

const poolSize = 4096
let pool: Buffer = Buffer.alloc(0)

/** So many cryptographically random bytes, at most 256; nobody is given the same ones. Read them at once. */
export function takeRandom(count: number): Buffer {
  if (pool.length < count) pool = randomBytes(poolSize)
  const taken = pool.subarray(0, count)
  pool = pool.subarray(count)
  return taken
}
