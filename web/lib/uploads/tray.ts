/** Whether the tray of uploads is on screen; it stands apart from the queue, whose code comes when it is needed. */
import { create } from 'zustand'

export const useTray = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export const openTray = (): void => useTray.setState({ isOpen: true })
/** Closes the tray; what is still unfinished is cancelled. */
export const closeTray = (): void => useTray.setState({ isOpen: false })
