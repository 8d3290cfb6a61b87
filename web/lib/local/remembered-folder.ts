/** The last folder viewed. Each tab has its own; a new tab starts with the browser's last one. */
import { create } from 'zustand'
import { folderStorage } from '../server/first-calls.ts'

interface LastFolder {
  /** Null is the root. */
  id: number | null
  /** With the name of its place, where it is another. Null while it is unknown. */
  name: string | null
}

function storedFolder(): number | null {
  const id = Number(localStorage.getItem(folderStorage))
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** The folder that this tab shows, or showed last. */
export const useLastFolder = create<LastFolder>(() => ({ id: storedFolder(), name: null }))

/** Its id, null for the root. */
export const rememberedFolder = (): number | null => useLastFolder.getState().id

/** Remembers the folder for this tab, and for tabs opened later. */
export function rememberFolder(id: number | null, name: string | null = null): void {
  useLastFolder.setState({ id, name })
  if (id === null) localStorage.removeItem(folderStorage)
  else localStorage.setItem(folderStorage, String(id))
}
