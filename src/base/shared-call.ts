/** Lets callers that ask at the same time share one call. */

/**
 * Returns a function that shares calls of `call`, but only among those that asked before it started; so nobody gets an
 * answer older than their question. The next call starts when the last one has ended.
 */
export function openSharedCall<T>(call: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    if (next !== undefined) return next
    const begun = (async () => {
      // Callers in the same turn of the event loop share this call.
      await Promise.all([last, new Promise(resolve => setImmediate(resolve))])
      next = undefined
      return call()
    })()
    next = begun
    last = begun.catch(() => undefined)
    return begun
  }
}
