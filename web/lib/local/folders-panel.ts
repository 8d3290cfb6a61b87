/** Whether the folder tree is on screen: beside the sheet, as this browser remembers it, or over it for a moment. */
import { create } from 'zustand'

const storageKey = 'folders-shown'

interface FoldersPanel {
  /** Beside the sheet, where the window is wide enough. */
  isShown: boolean
  /** Over the sheet, where it is not. */
  isOpen: boolean
  /** Whether the button that undoes the last change is to take the focus, its own having gone. */
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
