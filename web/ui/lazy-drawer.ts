/** The drawer at the bottom of the screen. It is apart from lazy-overlays.ts, whose menus are in such a drawer. */
import { createLazyPart } from './lazy-part.tsx'

export const BottomDrawer = createLazyPart(() => import('./bottom-drawer.tsx'), 'BottomDrawer')
