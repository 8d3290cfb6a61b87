/** Whether the folder tree is on screen: beside the sheet, remembered by this browser, or temporarily over it. */
import { create } from 'zustand'

const storageKey = 'folders-shown'

interface FoldersPanel {
  /** Beside the sheet, in a window wide enough. */
  isShown: boolean
  /** Over the sheet, in a narrower window. */
  isOpen: boolean
  /** Whether the opposite button takes the focus, because the button that was pressed has disappeared. */
  movesFocus: boolean
}

export const useFoldersPanel = create<FoldersPanel>(() => ({
  isShown: localStorage.getItem(storageKey) !== 'false',
  isOpen: false,
  movesFocus: false,
}))

export function showFolders(isShown: boolean, movesFocus = false): void {
  localStorage.setItem(storageKey, String(isShown))
  useFoldersPanel.setState({ isShown, movesFocus })
}

export const openFolders = (): void => useFoldersPanel.setState({ isOpen: true })
export const closeFolders = (): void => useFoldersPanel.setState({ isOpen: false })
