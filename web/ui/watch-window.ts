/** What the window is like. */
import { useSyncExternalStore } from 'react'

/** A hook that says whether the window meets a media query, which the browser is asked but once for all that use it. */
export function watchWindow(query: string): () => boolean {
  const list = window.matchMedia(query)
  const subscribe = (tell: () => void) => {
    list.addEventListener('change', tell)
    return () => list.removeEventListener('change', tell)
  }
  const read = () => list.matches
  return () => useSyncExternalStore(subscribe, read)
}
