/** What is being typed into the search box: each screen has a box of its own, and typing goes on from one to the next. */
import { create } from 'zustand'

interface SearchText {
  text: string
  /** The search in the address when the text was last taken from there. */
  query: string
  /** The search that this text itself has just led to: more may have been typed meanwhile. */
  sent: string | null
}

export const useSearchText = create<SearchText>(() => ({ text: '', query: '', sent: null }))

/** Takes over what the address searches for, as after going back, unless the text itself has led there. */
export function followQuery(query: string): void {
  useSearchText.setState(now => {
    if (now.query === query) return now
    return { query, sent: null, text: now.sent === query ? now.text : query }
  })
}

/** Milliseconds after the last key until a text is searched for. */
const pause = 500
let timer: ReturnType<typeof setTimeout> | undefined

/** Runs a search once nothing more has been typed for a while; one that waits is dropped. */
export function searchSoon(search: () => void): void {
  stopSearch()
  timer = setTimeout(search, pause)
}

export function stopSearch(): void {
  clearTimeout(timer)
}

/** Where the caret was in a box that has just gone; the one that takes its place puts it there again. */
let caret: [start: number | null, end: number | null] | null = null

/** Called by a box that goes while it has the focus. */
export function handOver(box: HTMLInputElement): void {
  caret = [box.selectionStart, box.selectionEnd]
  // Only for a box of the same picture.
  setTimeout(() => {
    caret = null
  })
}

/** Gives the focus to a box that takes the place of one that had it. */
export function takeOver(box: HTMLInputElement): void {
  if (caret === null) return
  box.focus()
  box.setSelectionRange(...caret)
  caret = null
}
