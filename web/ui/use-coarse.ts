/** Whether the pointer is a finger. The style sheets ask for the same. */
import { watchWindow } from './watch-window.ts'

export const useCoarse = watchWindow('(pointer: coarse)')
