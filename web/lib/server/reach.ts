/** Asks whether the server answers, and waits until it does. */

/** Milliseconds between two checks; the pause grows from the first value to the last. */
const pause = { first: 1_000, last: 10_000 }
/** A server that hangs counts as gone. */
const checkTimeout = 5_000

/** Whether a proxy answered because it could not reach the server. */
export const isFromProxy = ({ status, headers }: Response): boolean =>
  [502, 503, 504].includes(status) && !headers.get('Content-Type')?.startsWith('application/json')

async function isThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(checkTimeout)
    return !isFromProxy(await fetch(new URL('healthz', document.baseURI), { cache: 'no-store', signal }))
  } catch {
    return false
  }
}

interface Patience {
  /** Called after each check without an answer. */
  onSilence?: () => void
  /** Ends the wait early. */
  signal?: AbortSignal
}

/** Resolves once the server answers. */
export async function waitUntilThere({ onSilence, signal }: Patience = {}): Promise<void> {
  for (let wait = pause.first; !(await isThere()); wait = Math.min(wait * 2, pause.last)) {
    if (signal?.aborted) return
    onSilence?.()
    await sleepOrOnline(wait, signal)
  }
}

/** Waits, but at most until the browser reports that it is online again, or `signal` ends it. */
export function sleepOrOnline(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
    signal?.addEventListener('abort', done)
  })
}
