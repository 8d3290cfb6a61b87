/** The word below a drag's image that says what a drop here would do. The image itself cannot change during a drag. */
import styles from './drop-word.module.css'

/** The gap to the pointer: below the image, whose top left corner is 12 px right of it and 4 px below. */
const offset = { x: 12, y: 40 }
/** Milliseconds without a word after which it goes: a target that disappears tells nothing of the drag's end. */
const stay = 800

let shown: { element: HTMLElement; timer: number } | null = null

/** Shows the word at the pointer; call this for every `dragover`. `isRefusal` draws it as one. */
export function showDropWord(
  { clientX, clientY }: { clientX: number; clientY: number },
  word: string,
  isRefusal: boolean,
): void {
  const element = shown?.element ?? document.createElement('div')
  if (shown === null) document.body.append(element)
  else clearTimeout(shown.timer)
  element.className = styles.word ?? ''
  element.dataset.refusal = String(isRefusal)
  element.setAttribute('aria-hidden', 'true')
  if (element.textContent !== word) element.textContent = word
  const x = Math.min(clientX + offset.x, window.innerWidth - element.offsetWidth - 8)
  const y = Math.min(clientY + offset.y, window.innerHeight - element.offsetHeight - 8)
  element.style.transform = `translate(${Math.max(8, x)}px, ${y}px)`
  shown = { element, timer: window.setTimeout(hideDropWord, stay) }
}

export function hideDropWord(): void {
  if (shown === null) return
  clearTimeout(shown.timer)
  shown.element.remove()
  shown = null
}
