/** When a failed request is tried again, and after how long. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../src/api/client.ts'
import { printNotice } from '../terminal/output.ts'
import { UnreachableError } from './network.ts'

const maxAttempts = 5
/** Milliseconds before the second attempt; doubled for each further one. */
const firstPause = 500
/** Seconds, for a 429 that does not say. */
const defaultRetryAfter = 1
/** Seconds: the window of failed sign-ins, which is waited for. The hours that a key's daily limit asks for are not. */
const longestWait = 15 * 60

/** A server that is busy, or a proxy whose server is away: both pass. */
const passingStatuses = new Set([502, 503, 504])

/** Whether a request that failed so may have been carried out all the same. */
export const mayHaveArrived = (error: unknown): boolean => !(error instanceof ApiError && error.status === 429)

/** Whether a request that may have been carried out can be sent again; a function is asked only where that decides. */
type Repeatable = boolean | (() => Promise<boolean>)

/** Milliseconds to wait after the given attempt has failed, or undefined where trying again is no use. */
function pauseAfter(error: unknown, attempt: number, repeatable: boolean): number | undefined {
  if (attempt >= maxAttempts) return undefined
  const backoff = firstPause * 2 ** (attempt - 1)
  if (error instanceof ApiError) {
    if (error.retryAfter !== undefined && error.retryAfter > longestWait) return undefined
    if (error.status === 429) return (error.retryAfter ?? defaultRetryAfter) * 1000
    if (!repeatable || !passingStatuses.has(error.status)) return undefined
    return error.retryAfter === undefined ? backoff : error.retryAfter * 1000
  }
  // A server that was there a moment ago may be restarting; one that never was is reported at once.
  return repeatable && error instanceof UnreachableError && (error.lost || attempt > 1) ? backoff : undefined
}

function announcePause(error: unknown, pause: number): void {
  const what = error instanceof ApiError ? `The server is busy (HTTP ${error.status})` : (error as Error).message
  printNotice(`${what}; trying again in ${Math.ceil(pause / 1000)} s`)
}

/** Waits before another attempt and says so; throws the error itself when there is to be none. */
export async function waitForRetry(
  error: unknown,
  attempt: number,
  signal: AbortSignal,
  repeatable: Repeatable,
): Promise<void> {
  const pause = pauseAfter(error, attempt, repeatable !== false)
  if (pause === undefined) throw error
  if (typeof repeatable === 'function' && mayHaveArrived(error) && !(await repeatable())) throw error
  announcePause(error, pause)
  await sleep(pause, undefined, { signal })
}

/** Runs a request until it succeeds or its failure is final. */
export async function withRetries<Result>(
  run: () => Promise<Result>,
  signal: AbortSignal,
  repeatable: Repeatable,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      await waitForRetry(error, attempt, signal, repeatable)
    }
  }
}
