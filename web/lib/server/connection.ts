/** Whether the server answers: shows one notice while it does not, and refetches everything once it does. */
import { showToast } from '../../ui/toast.tsx'
import { queryClient } from './query-client.ts'

/** Milliseconds between two checks; the pause grows from the first value to the last. */
const pause = { first: 1_000, last: 10_000 }
/** A server that hangs counts as gone. */
const checkTimeout = 5_000

/** Hides the notice; null while the server answers. */
let hideNotice: (() => void) | null = null
/** Hides the message that the server answers again. */
let hideReturn = (): void => undefined
let checking: Promise<void> | undefined

/** Whether a proxy answered because it could not reach the server. */
const isFromProxy = ({ status, headers }: Response): boolean =>
  [502, 503, 504].includes(status) && !headers.get('Content-Type')?.startsWith('application/json')

export function noteAnswer(answer: Response): void {
  if (isFromProxy(answer)) void watch()
  else noteReturn()
}

/** Notes a request that got no answer. An aborted request or a timeout says nothing about the server. */
export function noteSilence(error: unknown): void {
  if (error instanceof TypeError) void watch()
}

function noteLoss(): void {
  if (hideNotice !== null) return
  hideReturn()
  hideNotice = showToast({ tone: 'loading', message: 'The server cannot be reached. Trying again...' })
}

function noteReturn(): void {
  if (hideNotice === null) return
  hideNotice()
  hideNotice = null
  hideReturn = showToast({ tone: 'success', message: 'The server can be reached again' })
  void queryClient.invalidateQueries()
}

async function isThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(checkTimeout)
    return !isFromProxy(await fetch(new URL('healthz', document.baseURI), { cache: 'no-store', signal }))
  } catch {
    return false
  }
}

/** Resolves once the server answers. Concurrent callers share one check. */
export function watch(): Promise<void> {
  checking ??= askUntilThere().finally(() => {
    checking = undefined
  })
  return checking
}

/** One failed request is no reason for a notice: leaving a page aborts requests too. */
async function askUntilThere(): Promise<void> {
  for (let wait = pause.first; !(await isThere()); wait = Math.min(wait * 2, pause.last)) {
    noteLoss()
    await sleepOrOnline(wait)
  }
  noteReturn()
}

/** Waits, but at most until the browser reports that it is online again. */
function sleepOrOnline(milliseconds: number): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
  })
}

/** Checks as soon as the browser goes offline, and not only at the next request. */
export function watchNetwork(): void {
  window.addEventListener('offline', () => void watch())
}
