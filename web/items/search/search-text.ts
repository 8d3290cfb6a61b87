/** The text being typed into the search box. Each screen has its own box, and typing continues from one to the next. */
import { create } from 'zustand'

interface SearchText {
  text: string
  /** The search in the address when the text was last taken from it. */
  query: string
  /** The search that this text has just started; more may have been typed since. */
  sent: string | null
}

export const useSearchText = create<SearchText>(() => ({ text: '', query: '', sent: null }))

/** Takes over the search in the address, for example after Back, unless the text itself led there. */
export function followQuery(query: string): void {
  useSearchText.setState(now => {
    if (now.query === query) return now
    return { query, sent: null, text: now.sent === query ? now.text : query }
  })
}

/** Milliseconds after the last key before the search starts. */
const pause = 500
let timer: ReturnType<typeof setTimeout> | undefined

/** Runs a search once typing pauses; replaces a pending one. */
export function searchSoon(search: () => void): void {
  stopSearch()
  timer = setTimeout(search, pause)
}

export function stopSearch(): void {
  clearTimeout(timer)
}

/** The caret of a box that was just unmounted, for the box that replaces it. */
let caret: [start: number | null, end: number | null] | null = null

/** Called by a box that is unmounted while it has the focus. */
export function handOver(box: HTMLInputElement): void {
  caret = [box.selectionStart, box.selectionEnd]
  // Valid only for a box mounted in the same render.
  setTimeout(() => {
    caret = null
  })
}

/** Moves the focus to a box that replaces a focused one. */
export function takeOver(box: HTMLInputElement): void {
  if (caret === null) return
  box.focus()
  box.setSelectionRange(...caret)
  caret = null
}
