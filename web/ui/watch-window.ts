/** Media queries of the window. */
import { useSyncExternalStore } from 'react'

/** A hook that says whether the window matches a media query; all its users share one query object. */
export function watchWindow(query: string): () => boolean {
  const list = window.matchMedia(query)
  const subscribe = (tell: () => void) => {
    list.addEventListener('change', tell)
    return () => list.removeEventListener('change', tell)
  }
  const read = () => list.matches
  return () => useSyncExternalStore(subscribe, read)
}
