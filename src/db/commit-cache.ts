/** A cache of values read from the database. Any commit, by any process, empties it. */

/** Maximum number of cached values. If more are read between two commits, they are unlikely to be read again soon. */
const most = 1000

/** Returns the value that `read` returned for the same key since the last commit, or calls it now. */
export type CommitCache = <Value>(key: string, read: () => Promise<Value>) => Promise<Value>

/**
 * Lets callers share one call of `look`, but only those that asked before it started; so nobody gets a version older
 * than their question.
 */
function openSharedLook(look: () => Promise<number>): () => Promise<number> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<number> | undefined
  return () => {
    if (next !== undefined) return next
    const begun = (async () => {
      // Callers in the same turn of the event loop share this call.
      await Promise.all([last, new Promise(resolve => setImmediate(resolve))])
      next = undefined
      return look()
    })()
    next = begun
    last = begun.catch(() => undefined)
    return begun
  }
}

/**
 * Opens the cache. `version` returns a number that changes with each commit, by any process. The version is read before
 * the value, so a cached value is never older than its version.
 */
export function openCommitCache(version: () => Promise<number>): CommitCache {
  const look = openSharedLook(version)
  const kept = new Map<string, Promise<unknown>>()
  let keptAt: number | undefined
  return async <Value>(key: string, read: () => Promise<Value>) => {
    const now = await look()
    if (now !== keptAt || kept.size >= most) kept.clear()
    keptAt = now
    const known = kept.get(key)
    if (known !== undefined) return known as Promise<Value>
    const value = read()
    kept.set(key, value)
    value.catch(() => kept.get(key) === value && kept.delete(key))
    return value
  }
}
