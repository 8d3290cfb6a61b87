/** Runs long work that only one of several processes may do at a time. */
import { type Leases, renewTime } from './leases.ts'

/**
 * Runs `work` while this process holds the lease; does nothing if another one does. The signal of `work` aborts with
 * `signal`, and when the lease is lost.
 */
export async function withLease(
  leases: Leases,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (!(await leases.take(name))) return
  const lost = new AbortController()
  const renew = async () => {
    if (!(await leases.renew(name))) lost.abort()
  }
  // A renewal that fails is tried again long before the lease expires.
  const timer = setInterval(() => renew().catch(() => undefined), renewTime).unref()
  try {
    await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    clearInterval(timer)
    await leases.end(name)
  }
}
