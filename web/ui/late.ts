/** What floats above a page, in chunks of their own: no first load needs them. */
import { lazy } from 'react'

const importMenu = () => import('./floating-menu.tsx')
const importDialog = () => import('./modal-dialog.tsx')
const importDrawer = () => import('./bottom-drawer.tsx')

export const FloatingMenu = lazy(() => importMenu().then(module => ({ default: module.FloatingMenu })))
export const ModalDialog = lazy(() => importDialog().then(module => ({ default: module.ModalDialog })))
export const BottomDrawer = lazy(() => importDrawer().then(module => ({ default: module.BottomDrawer })))

/** Fetches them once the page stands, so that they open at once. */
export function fetchLate(): void {
  void Promise.allSettled([importMenu(), importDialog(), importDrawer()])
}
