/** Runs long work that other processes must not disturb. */
import { type Leases, renewTime } from './leases.ts'

/**
 * Runs `work` while this process renews a lease that it has, and ends the lease after it. The signal of `work` aborts with
 * `signal`, and when the lease is lost.
 */
export async function keepLease<Result>(
  leases: Leases,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lost = new AbortController()
  const renew = async () => {
    if (!(await leases.renew(name))) lost.abort()
  }
  // A renewal that fails is tried again long before the lease expires.
  const timer = setInterval(() => renew().catch(() => undefined), renewTime).unref()
  try {
    return await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    clearInterval(timer)
    await leases.end(name)
  }
}

/** Runs `work` as `keepLease` does, for a job of one process at a time; does nothing if another one has the lease. */
export async function withLease(
  leases: Leases,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (await leases.take(name)) await keepLease(leases, name, signal, work)
}
