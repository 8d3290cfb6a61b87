/** The folder last looked at: each tab has its own, and a tab that begins takes over the browser's last one. */
import { create } from 'zustand'
import { folderStorage } from '../server/first-calls.ts'

interface LastFolder {
  /** Null is the root. */
  id: number | null
  /** Null while it is not known. */
  name: string | null
}

function storedFolder(): number | null {
  const id = Number(localStorage.getItem(folderStorage))
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** The folder that this tab looks at, or looked at last. */
export const useLastFolder = create<LastFolder>(() => ({ id: storedFolder(), name: null }))

/** Its id, null for the root. */
export const rememberedFolder = (): number | null => useLastFolder.getState().id

/** Notes it for this tab, and for those that begin later. */
export function rememberFolder(id: number | null, name: string | null = null): void {
  useLastFolder.setState({ id, name })
  if (id === null) localStorage.removeItem(folderStorage)
  else localStorage.setItem(folderStorage, String(id))
}
