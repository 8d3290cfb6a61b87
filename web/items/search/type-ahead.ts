/** Keeps what is typed between the key of the search and the moment when its screen is there. */
import { isTyping } from '../../ui/keys.ts'
import { useSearchText } from './search-text.ts'

/** ms after which the screen is taken not to come. */
const patience = 5_000

let stop = (): boolean => false

/** Begins to keep it as the text of the search box, until `endTypeAhead`. */
export function typeAhead(): void {
  stop()
  // The address that follows has no text; an earlier search must not come back.
  useSearchText.setState({ text: '', query: '', sent: null })
  let isTyped = false
  const take = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey, isComposing } = event
    const isText = [...key].length === 1
    if (isTyping(target) || ctrlKey || metaKey || altKey || isComposing || !(isText || key === 'Backspace')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    isTyped = true
    useSearchText.setState(({ text }) => ({ text: isText ? text + key : text.slice(0, -1) }))
  }
  window.addEventListener('keydown', take, true)
  const timer = setTimeout(() => stop(), patience)
  stop = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', take, true)
    stop = () => false
    return isTyped
  }
}

/** The box is there, and has the focus. Returns whether there is something new in it. */
export const endTypeAhead = (): boolean => stop()
