/** Keyboard control of a menu: arrows, Home and End, typing the start of an item, Escape. */
import { type KeyboardEvent, type RefObject, useRef } from 'react'

/** Milliseconds after which a letter starts a new search. */
const pause = 500

/** Returns the menu's key handler; its items are the buttons in it. */
export function useMenuKeys(menu: RefObject<HTMLElement | null>, onClose: () => void) {
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY })
  return (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, timeStamp } = event
    if (key === 'Escape') {
      // Escape closes only the menu, not the dialog around it.
      event.preventDefault()
      event.stopPropagation()
      return onClose()
    }
    const items: HTMLElement[] = [...(menu.current?.querySelectorAll('button') ?? [])]
    const { activeElement } = document
    const now = activeElement instanceof HTMLElement ? items.indexOf(activeElement) : -1
    const isLetter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
    if (isLetter) {
      const { text, at } = typed.current
      typed.current = { text: (timeStamp - at < pause ? text : '') + key.toLowerCase(), at: timeStamp }
    }
    const to = isLetter ? beginningWith(typed.current.text, items, now) : destinationOf(key, now, items.length)
    // Tab does nothing while the menu is open.
    if (to === null && key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (to !== null) items[to]?.focus()
  }
}

function destinationOf(key: string, from: number, count: number): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'ArrowDown') return (from + 1) % count
  if (key === 'ArrowUp') return from <= 0 ? (from < 0 ? 0 : count - 1) : from - 1
  return null
}

/** One letter, pressed once or repeatedly, moves to the next item that begins with it. */
function beginningWith(text: string, items: readonly HTMLElement[], from: number): number | null {
  const letter = text[0] ?? ''
  const isOne = [...text].every(other => other === letter)
  const start = isOne ? from + 1 : 0
  const order = items.map((_, offset) => (start + offset) % items.length)
  const begins = (index: number) => items[index]?.textContent.toLowerCase().startsWith(isOne ? letter : text)
  return order.find(begins) ?? null
}
