/** Whether the window is too narrow for something beside the sheet; phones are. */
import { watchWindow } from './watch-window.ts'

export const useNarrow = watchWindow('(max-width: 1100px)')
