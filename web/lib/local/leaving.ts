/** Leaving the page: whether unsaved work would be lost, and loading a new page. */

let isLeaving = false

// Listeners run in the order they were added. Add this one before the router's, so that it can silence that one.
const keepQuiet = (event: Event): void => {
  if (isLeaving) event.stopImmediatePropagation()
}
window.addEventListener('beforeunload', keepQuiet, { capture: true })

/** Whether something is unfinished or unsaved: asks every listener that would keep the browser on the page. */
export function wouldLose(): boolean {
  const question = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(question)
  return question.defaultPrevented
}

/**
 * Loads another page of the product (`login`) in place of this one, without asking. The next user must not see this
 * user's data, whichever component or module holds it. Until the new page loads, nothing is visible and nothing can be
 * typed.
 */
export function startAnew(path: string): void {
  isLeaving = true
  document.documentElement.hidden = true
  window.location.replace(new URL(path, document.baseURI))
}
