/** Keeps what was read of a space while the space's revision stands. */

/** Reads anew unless the key's value is of this revision. */
type ByRevision<T> = (key: string, revision: number, read: () => Promise<T>) => Promise<T>

/**
 * Remembers the last `maxEntries` values. The revision must have been read before the value: what is newer than its
 * revision is dropped with it, since revisions only go up.
 */
export function keepByRevision<T>(maxEntries: number): ByRevision<T> {
  const known = new Map<string, { revision: number; value: T }>()
  return async (key, revision, read) => {
    const found = known.get(key)
    if (found?.revision === revision) return found.value
    const value = await read()
    known.delete(key)
    known.set(key, { revision, value })
    const [oldest] = known.keys()
    if (known.size > maxEntries && oldest !== undefined) known.delete(oldest)
    return value
  }
}
