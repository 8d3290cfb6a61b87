/** Lets something happen in the middle of a call, between two of its statements. */
import type { TestServer } from './test-server.ts'

/**
 * Makes a call and acts before its nth read of the database that is in no write, where the act would wait for ever.
 * Returns the call's answer; null if it had fewer reads, so that nothing happened.
 */
export async function beforeRead<T>(
  { deps: { db } }: TestServer,
  n: number,
  act: () => Promise<unknown>,
  call: () => Promise<T>,
): Promise<T | null> {
  const { rows, row, page, write } = db
  let reads = 0
  let writes = 0
  let acting: Promise<unknown> | undefined
  const pausing =
    <Args extends unknown[], Read>(read: (...args: Args) => Promise<Read>) =>
    async (...args: Args): Promise<Read> => {
      if (writes === 0) reads++
      // The act makes reads of its own.
      if (reads === n) {
        reads = Number.POSITIVE_INFINITY
        acting = act()
        await acting
      }
      return read(...args)
    }
  const counting: typeof write = async (...args) => {
    writes++
    try {
      return await write(...args)
    } finally {
      writes--
    }
  }
  Object.assign(db, { rows: pausing(rows), row: pausing(row), page: pausing(page), write: counting })
  try {
    const answer = await call()
    // A job of the server may have made that read, which the call does not wait for.
    await acting
    return reads === Number.POSITIVE_INFINITY ? answer : null
  } finally {
    Object.assign(db, { rows, row, page, write })
  }
}
