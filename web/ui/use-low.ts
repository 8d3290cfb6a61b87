/** Whether the window is low: zoomed to 200 %, or a phone held sideways. The style sheets ask for the same height. */
import { watchWindow } from './watch-window.ts'

export const useLow = watchWindow('(max-height: 499.98px)')
