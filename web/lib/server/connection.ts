/** Whether the server answers at all: one notice while it does not, and everything anew once it does. */
import { showToast } from '../../ui/toast.tsx'
import { queryClient } from './query-client.ts'

/** Milliseconds between two questions whether it is back: at first the shorter, in the end the longer. */
const pause = { first: 1_000, last: 10_000 }
/** A server that hangs is gone too. */
const checkTimeout = 5_000

/** What takes the notice away; null while the server answers. */
let hideNotice: (() => void) | null = null
/** Takes the word away that it answers again. */
let hideReturn = (): void => undefined
let checking: Promise<void> | undefined

/** An answer of a proxy that finds nobody behind it. */
const isFromProxy = ({ status, headers }: Response): boolean =>
  [502, 503, 504].includes(status) && !headers.get('Content-Type')?.startsWith('application/json')

export function noteAnswer(answer: Response): void {
  if (isFromProxy(answer)) void watch()
  else noteReturn()
}

/** A request to which no answer came. One that was broken off on purpose, or took too long, says nothing. */
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

/** Resolves once the server answers; what asks for it meanwhile is this very question. */
export function watch(): Promise<void> {
  checking ??= askUntilThere().finally(() => {
    checking = undefined
  })
  return checking
}

/** A single request that failed, as when a page is left, is no reason for a notice. */
async function askUntilThere(): Promise<void> {
  for (let wait = pause.first; !(await isThere()); wait = Math.min(wait * 2, pause.last)) {
    noteLoss()
    await sleepOrOnline(wait)
  }
  noteReturn()
}

/** Waits, but not longer than until the browser says that it has a network again. */
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

/** Looks as soon as the browser says that its network is gone, not only when somebody asks for something. */
export function watchNetwork(): void {
  window.addEventListener('offline', () => void watch())
}
