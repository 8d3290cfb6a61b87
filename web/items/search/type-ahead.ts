/** Keeps what is typed between the key of the search and the moment when its screen is there. */
import { isTyping } from '../../ui/keys.ts'
import { useSearchText } from './search-text.ts'

/** ms after which the screen is taken not to come. */
const patience = 5_000

/** Keys that would act in a text, and must not act on the screen that is still there. */
const ownKeys = /^(.|Enter|Escape|Backspace|Delete|Home|End|Arrow.*)$/u

/** What to do with the text: `now` after Enter, `soon` after another key; null if nothing was typed. */
type Typed = 'soon' | 'now' | null

let stop: (() => Typed) | null = null

/** Begins to keep it as the text of the search box, until `endTypeAhead`. */
export function typeAhead(): void {
  stop?.()
  const { setState } = useSearchText
  // The address that follows has no text; an earlier search must not come back.
  setState({ text: '', query: '', sent: null })
  let typed: Typed = null
  const take = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey, isComposing } = event
    if (isTyping(target) || ctrlKey || metaKey || altKey || isComposing || !ownKeys.test(key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (key === 'Escape') return dropTypeAhead()
    const isText = /^.$/u.test(key)
    if (isText || key === 'Backspace') setState(({ text }) => ({ text: isText ? text + key : text.slice(0, -1) }))
    typed = key === 'Enter' ? 'now' : 'soon'
  }
  window.addEventListener('keydown', take, true)
  const timer = setTimeout(endTypeAhead, patience)
  stop = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', take, true)
    stop = null
    return typed
  }
}

/** The box is there, and has the focus. Returns whether there is something new in it to search for. */
export function endTypeAhead(): Typed {
  const typed = stop?.() ?? null
  return useSearchText.getState().text.trim() === '' ? null : typed
}

/** The user wants no search any more: what was typed for it is forgotten. */
export function dropTypeAhead(): void {
  if (stop === null) return
  stop()
  useSearchText.setState({ text: '' })
}
