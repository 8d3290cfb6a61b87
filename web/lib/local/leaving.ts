/** Leaving the page as it stands: what would be lost by it, and a new one in its place. */

let isLeaving = false

// Before the router's own listener, which is there as soon as the router: of listeners to one thing the first one hears
// it first.
const keepQuiet = (event: Event): void => {
  if (isLeaving) event.stopImmediatePropagation()
}
window.addEventListener('beforeunload', keepQuiet, { capture: true })

/** Whether something is unfinished or not saved: whoever would ask before the browser leaves the page is heard here. */
export function wouldLose(): boolean {
  const question = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(question)
  return question.defaultPrevented
}

/**
 * Loads a page of the product (`login`) in this one's place without asking. Nothing of one user may be seen by the next
 * one, whichever component or module holds it: until the new page stands there is nothing to see, and nothing to type
 * into.
 */
export function startAnew(path: string): void {
  isLeaving = true
  document.documentElement.hidden = true
  window.location.replace(new URL(path, document.baseURI))
}
