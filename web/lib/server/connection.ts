/** Whether the server answers: shows one notice while it does not, and refetches everything once it does. */
import { showToast } from '../../ui/toast.tsx'
import { queryClient } from './query-client.ts'
import { isFromProxy, waitUntilThere } from './reach.ts'

/** Hides the notice; null while the server answers. */
let hideNotice: (() => void) | null = null
/** Hides the message that the server answers again. */
let hideReturn = (): void => undefined
let checking: Promise<void> | undefined

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

/** Resolves once the server answers. Concurrent callers share one check. */
export function watch(): Promise<void> {
  checking ??= askUntilThere().finally(() => {
    checking = undefined
  })
  return checking
}

/** One failed request is no reason for a notice: leaving a page aborts requests too. */
async function askUntilThere(): Promise<void> {
  await waitUntilThere({ onSilence: noteLoss })
  noteReturn()
}

/** Checks as soon as the browser goes offline, and not only at the next request. */
export function watchNetwork(): void {
  window.addEventListener('offline', () => void watch())
}
