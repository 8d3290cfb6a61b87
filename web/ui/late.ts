/** What floats above a page, in chunks of their own: no first load needs them. */
import { createLatePart } from './late-part.tsx'

export const FloatingMenu = createLatePart(() => import('./floating-menu.tsx'), 'FloatingMenu')
export const ModalDialog = createLatePart(() => import('./modal-dialog.tsx'), 'ModalDialog')
export const BottomDrawer = createLatePart(() => import('./bottom-drawer.tsx'), 'BottomDrawer')

/** Fetches them before they are wanted, so that they open at once. */
export function fetchLate(): void {
  for (const part of [FloatingMenu, ModalDialog, BottomDrawer]) part.fetch()
}
