/** What floats over the page, in chunks of its own: the first load does not need it. */
import { BottomDrawer } from './lazy-drawer.ts'
import { createLazyPart } from './lazy-part.tsx'

export const ActionSheet = createLazyPart(() => import('./action-sheet.tsx'), 'ActionSheet')
export const FloatingMenu = createLazyPart(() => import('./floating-menu.tsx'), 'FloatingMenu')
export const ModalDialog = createLazyPart(() => import('./modal-dialog.tsx'), 'ModalDialog')

/** Loads them early, so that they open at once. */
export function fetchOverlays(): void {
  for (const part of [ActionSheet, FloatingMenu, ModalDialog, BottomDrawer]) part.fetch()
}
