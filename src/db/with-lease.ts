/** Runs long work that other processes must not disturb. */
import { type Leases, renewTime, trustTime } from './leases.ts'

/** What work is told of the lease that it has. */
export interface Held {
  /** Aborts when the work is to end, and when the lease is lost. */
  signal: AbortSignal
  /**
   * Whether the lease is still held: renews it where it may have expired, as after a pause of the process, in which no
   * timer could abort.
   */
  confirm(): Promise<boolean>
}

/** Runs `work` while this process renews a lease that it has, and ends the lease after it. */
export async function keepLease<Result>(
  leases: Leases,
  name: string,
  signal: AbortSignal,
  work: (held: Held) => Promise<Result>,
): Promise<Result> {
  const lost = new AbortController()
  let renewedAt = performance.now()
  const renew = async () => {
    const askedAt = performance.now()
    if (await leases.renew(name)) renewedAt = askedAt
    else lost.abort()
  }
  const confirm = async () => {
    if (performance.now() - renewedAt > trustTime) await renew()
    return !lost.signal.aborted
  }
  // A renewal that fails is tried again long before the lease expires.
  const timer = setInterval(() => renew().catch(() => undefined), renewTime).unref()
  try {
    return await work({ signal: AbortSignal.any([signal, lost.signal]), confirm })
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
  if (await leases.take(name)) await keepLease(leases, name, signal, held => work(held.signal))
}
