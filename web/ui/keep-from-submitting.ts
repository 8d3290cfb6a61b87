/** Keeps Enter from submitting a form. */
import type { KeyboardEvent } from 'react'

/** For a field that finds options by a text: a form that is sent while a text `isTyped` would leave it out. */
export function keepFromSubmitting(event: KeyboardEvent, isTyped: boolean): void {
  if (event.key === 'Enter' && isTyped) event.preventDefault()
}
