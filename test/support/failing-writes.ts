/** Breaks a call off in the middle, as a crash between two of its writes would. */
import type { TestServer } from './test-server.ts'

/** Makes a call whose first `count` writes succeed, and all further ones fail. The server must run in the test's process. */
export async function failAfterWrites<T>(
  { deps: { db } }: TestServer,
  count: number,
  call: () => Promise<T>,
): Promise<T> {
  const { write } = db
  let writes = 0
  const failing: typeof write = (actor, run) => {
    writes += 1
    return writes > count ? Promise.reject(new Error('the database is gone')) : write(actor, run)
  }
  Object.assign(db, { write: failing })
  try {
    return await call()
  } finally {
    Object.assign(db, { write })
  }
}
