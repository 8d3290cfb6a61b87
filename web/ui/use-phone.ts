/** Whether the window is as narrow as a phone. */
import { watchWindow } from './watch-window.ts'

export const usePhone = watchWindow('(max-width: 767.98px)')
