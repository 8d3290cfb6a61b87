/** What floats over the page, in chunks of its own: the first load does not need it. */
import { createLatePart } from './late-part.tsx'

export const FloatingMenu = createLatePart(() => import('./floating-menu.tsx'), 'FloatingMenu')
export const ModalDialog = createLatePart(() => import('./modal-dialog.tsx'), 'ModalDialog')
export const BottomDrawer = createLatePart(() => import('./bottom-drawer.tsx'), 'BottomDrawer')

/** Loads them early, so that they open at once. */
export function fetchLate(): void {
  for (const part of [FloatingMenu, ModalDialog, BottomDrawer]) part.fetch()
}
