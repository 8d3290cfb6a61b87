/** What the page's address shows: a folder of the link, and a file of it in the preview. */
import { create } from 'zustand'

export interface Place {
  /** Null is the folder that the link is on. */
  folder: number | null
  /** Null while no file is previewed. */
  file: number | null
}

const readId = (query: URLSearchParams, name: string): number | null => {
  const text = query.get(name) ?? ''
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}

function readPlace(): Place {
  const query = new URLSearchParams(location.search)
  return { folder: readId(query, 'folder'), file: readId(query, 'file') }
}

export const usePlace = create<Place>(readPlace)

window.addEventListener('popstate', () => usePlace.setState(readPlace()))

/** The address of a place: the whole path, because the page has a base. */
export function addressOf({ folder, file }: Place): string {
  const query = new URLSearchParams()
  if (folder !== null) query.set('folder', String(folder))
  if (file !== null) query.set('file', String(file))
  const text = query.toString()
  return text === '' ? location.pathname : `${location.pathname}?${text}`
}

export function goTo(place: Place): void {
  history.pushState({ isInside: true }, '', addressOf(place))
  usePlace.setState(place)
}

/** Goes there without a step in the history. */
export function turnTo(place: Place): void {
  history.replaceState(history.state, '', addressOf(place))
  usePlace.setState(place)
}

/** Closes the preview: a step back where the page has opened it, so that the browser's own button does the same. */
export function closeFile(): void {
  if ((history.state as { isInside?: boolean } | null)?.isInside === true) history.back()
  else turnTo({ ...usePlace.getState(), file: null })
}
