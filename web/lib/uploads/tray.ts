/** Whether the upload tray is on screen. Separate from the queue, whose code loads when it is needed. */
import { create } from 'zustand'

export const useTray = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export const openTray = (): void => useTray.setState({ isOpen: true })
/** Closes the tray, which cancels everything unfinished. */
export const closeTray = (): void => useTray.setState({ isOpen: false })
