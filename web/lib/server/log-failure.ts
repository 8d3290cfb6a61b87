/** Failures that are only logged: a line in the browser's console and a quiet notice to the user. */
import { showNotice } from '../../ui/toast.tsx'

/** Logs a line for diagnosis. A warning and not an error: the page handles it. */
export function log(what: string, error?: unknown): void {
  console.warn(what, ...(error === undefined ? [] : [error]))
}

/** For a promise's `catch`: logs the failure and rethrows it. */
export const logged =
  (what: string) =>
  (error: unknown): never => {
    log(what, error)
    throw error
  }

/** `what` is a sentence without a full stop: 'Failed to copy to the clipboard'. The user can go on working. */
export function logFailure(what: string, error: unknown): void {
  log(what, error)
  showNotice(what)
}
