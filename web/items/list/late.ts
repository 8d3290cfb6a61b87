/** What a list needs only once somebody does something with it, in chunks of their own. */

import { latePart } from '../../lib/late-part.ts'
import { useView } from './use-view.ts'

const importMenu = () => import('./item-menu.tsx')
const importBar = () => import('./selection-bar.tsx')
const importGrid = () => import('./grid-view.tsx')

export const ItemMenu = latePart(importMenu, 'ItemMenu')
export const SelectionBar = latePart(importBar, 'SelectionBar')
export const GridView = latePart(importGrid, 'GridView')

/** Fetches them once the list stands, so that they are there when they are wanted. */
export function fetchLateParts(): void {
  void Promise.allSettled([importMenu(), importBar(), importGrid()])
}

// Who left as a grid will want it again: asked for here it comes together with the first listing.
if (useView.getState().view === 'grid') void importGrid()
