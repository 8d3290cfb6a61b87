/** Whether the window is too narrow for a panel beside the sheet, as on a phone. */
import { watchWindow } from './watch-window.ts'

export const useNarrow = watchWindow('(max-width: 1100px)')
