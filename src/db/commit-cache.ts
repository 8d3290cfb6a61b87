/** A cache of values read from the database. Any commit, by any process, empties it. */

/** Maximum number of cached values. If more are read between two commits, they are unlikely to be read again soon. */
const most = 1000

/** Returns the value that `read` returned for the same key since the last commit, or calls it now. */
export type CommitCache = <Value>(key: string, read: () => Promise<Value>) => Promise<Value>

/**
 * Opens the cache. `version` returns a text that changes with each commit, by any process. The version is read before
 * the value, so a cached value is never older than its version.
 */
export function openCommitCache(version: () => string): CommitCache {
  const kept = new Map<string, Promise<unknown>>()
  let keptAt: string | undefined
  return async <Value>(key: string, read: () => Promise<Value>) => {
    const now = version()
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
