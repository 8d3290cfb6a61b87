/** The shortcuts that work on every screen: help and Undo. */
import { useWindowEvent } from '@mantine/hooks'
import { create } from 'zustand'
import { isPageBehind, isTyping } from '../ui/keys.ts'
import { undoLast } from '../ui/undo.ts'

export const useHelp = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export const showHelp = (): void => useHelp.setState({ isOpen: true })
export const hideHelp = (): void => useHelp.setState({ isOpen: false })

/** `?` opens the list of shortcuts; Ctrl+Z runs the latest Undo that a toast offered. */
export function useGlobalKeys(): void {
  useWindowEvent('keydown', event => {
    const { key, target, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event
    if (defaultPrevented || isTyping(target)) return
    const isBehind = isPageBehind()
    if (key === '?' && !ctrlKey && !metaKey && !isBehind) showHelp()
    else if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey || isBehind || !undoLast()) return
    event.preventDefault()
  })
}
