/** Values read from the database, kept for as long as nothing at all has been committed to it since. */

/** Kept at once; so many different ones between two commits are no callers who come again. */
const most = 1000

/** Gives back what `read` gave before under the same key, or gives now. */
export type Unchanged = <Value>(key: string, read: () => Promise<Value>) => Promise<Value>

/** One look for all who ask before it begins: what it finds is no older than their question. */
function openSharedLook(look: () => Promise<number>): () => Promise<number> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<number> | undefined
  return () => {
    if (next !== undefined) return next
    const begun = (async () => {
      // Whoever has come in the same turn of the event loop asks too.
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
 * `version` tells a number that is another after each commit, whoever made it. A value is read after the number it is
 * kept under: for whoever finds the same number it is new enough.
 */
export function openUnchanged(version: () => Promise<number>): Unchanged {
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
