/** Decides whether a failed request is retried, and after how long. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../src/api/client.ts'
import { printNotice } from '../terminal/output.ts'
import { UnreachableError } from './network.ts'

const maxAttempts = 5
/** Milliseconds before the second attempt. The pause doubles for each further attempt. */
const firstPause = 500
/** Seconds to wait after a 429 that does not say how long. */
const defaultRetryAfter = 1
/**
 * The longest wait, in seconds: the window of failed sign-ins. A key's daily limit asks for hours, which is too long to
 * wait.
 */
const longestWait = 15 * 60

/** Temporary states: a line that stalled, a busy server, or a proxy whose server is away. */
const passingStatuses = new Set([408, 502, 503, 504])

/** Whether a failed request may have been carried out anyway. */
export const mayHaveArrived = (error: unknown): boolean => !(error instanceof ApiError && error.status === 429)

/**
 * Whether a request may be sent again after it may have been carried out. A function is called only if that decides.
 */
type Repeatable = boolean | (() => Promise<boolean>)

/** Returns the milliseconds to wait after a failed attempt, or undefined if a retry is pointless. */
function pauseAfter(error: unknown, attempt: number, repeatable: boolean): number | undefined {
  if (attempt >= maxAttempts) return undefined
  const backoff = firstPause * 2 ** (attempt - 1)
  if (error instanceof ApiError) {
    if (error.retryAfter !== undefined && error.retryAfter > longestWait) return undefined
    if (error.status === 429) return (error.retryAfter ?? defaultRetryAfter) * 1000
    if (!repeatable || !passingStatuses.has(error.status)) return undefined
    return error.retryAfter === undefined ? backoff : error.retryAfter * 1000
  }
  // A server that answered before may be restarting; one that never answered is reported at once.
  return repeatable && error instanceof UnreachableError && (error.lost || attempt > 1) ? backoff : undefined
}

function announcePause(error: unknown, pause: number): void {
  const isBusy = error instanceof ApiError && error.status !== 408
  const what = isBusy ? `The server is busy (HTTP ${error.status})` : (error as Error).message
  printNotice(`${what}; trying again in ${Math.ceil(pause / 1000)} s`)
}

/** Announces another attempt and waits for it. Throws the error itself if there is to be none. */
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

/**
 * Runs a request until it succeeds or its failure is final. `progress` tells how far work has come that goes on where it
 * failed: only the attempts that bring it no further count.
 */
export async function withRetries<Result>(
  run: () => Promise<Result>,
  signal: AbortSignal,
  repeatable: Repeatable,
  progress = () => 0,
): Promise<Result> {
  let furthest = progress()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      // Not the first attempt: the server has answered.
      if (progress() > furthest) attempt = 2
      // Not how far it is now: a server that tells less and then more again has made no progress.
      furthest = Math.max(furthest, progress())
      await waitForRetry(error, attempt, signal, repeatable)
    }
  }
}
