/** Whether the window has a phone's width. */
import { watchWindow } from './watch-window.ts'

export const usePhone = watchWindow('(max-width: 767.98px)')
