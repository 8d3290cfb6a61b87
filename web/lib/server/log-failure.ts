/** What the specification only logs: a line in the browser's console, and a quiet notice to the user. */
import { showNotice } from '../../ui/toast.tsx'

/** A line for whoever looks into what happened. A warning, not an error: the page knows what to do. */
export function log(what: string, error?: unknown): void {
  console.warn(what, ...(error === undefined ? [] : [error]))
}

/** For a promise's `catch`: notes the failure and passes it on. */
export const logged =
  (what: string) =>
  (error: unknown): never => {
    log(what, error)
    throw error
  }

/** `what` failed, as a sentence without a stop: 'Failed to copy to the clipboard'. The user goes on working. */
export function logFailure(what: string, error: unknown): void {
  log(what, error)
  showNotice(what)
}
