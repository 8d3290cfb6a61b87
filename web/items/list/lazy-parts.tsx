/** The parts of a list that are needed only on interaction, in chunks of their own. */
import { usePreferences } from '../../lib/local/preferences.ts'
import { lazyPart } from '../../lib/server/lazy-part.ts'
import { whenQuiet } from '../../lib/server/when-quiet.ts'
import { fetchActs } from '../acts/lazy-acts.ts'
import { ColumnEdge } from './head/list-head.tsx'
import styles from './item-list.module.css'

export const ItemMenu = lazyPart(() => import('../actions/item-menu.tsx'), 'ItemMenu')
export const SelectionBar = lazyPart(
  () => import('./selection/selection-bar.tsx'),
  'SelectionBar',
  () => <div className={styles.bar} />,
)
export const GridView = lazyPart(
  () => import('./grid/grid-view.tsx'),
  'GridView',
  () => <div className={styles.blank} />,
)
export const PrintedItems = lazyPart(() => import('../print/printed-items.tsx'), 'PrintedItems')

/** Loads them once the list is ready, so that they are there when needed. */
export async function fetchLazyParts(): Promise<void> {
  await whenQuiet()
  for (const part of [ItemMenu, SelectionBar, GridView, PrintedItems, ColumnEdge]) part.fetch()
  void fetchActs().catch(() => undefined)
}

// If the grid was used last, load it now, together with the first listing.
if (usePreferences.getState().view === 'grid') GridView.fetch()
