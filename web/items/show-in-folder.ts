/** Showing an item in its folder: the folder opens, scrolls to the item and gives it the focus. */

import { useMatchRoute, useNavigate, useSearch } from '@tanstack/react-router'
import type { FileItem } from '../../src/api/items.ts'
import { isPlaceRoot } from '../../src/api/places.ts'
import { closeSmallDetails } from './details/use-details.ts'
import { listOf } from './place-routes.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The item to show in the folder of the address; `time` (ms) makes each request another one. */
    shown?: { id: number; time: number }
  }
}

/** The address of a folder for links and `navigate`; null is the root. */
export const folderRoute = (folderId: number | null) =>
  ({ to: '/files/{-$folderId}', params: { folderId: folderId === null ? undefined : String(folderId) } }) as const

type Located = Pick<FileItem, 'id' | 'parent_id' | 'place'>

/** The address of the folder that an item is in; for the topmost item of a place that of the list of such places. */
export const locationRoute = (item: Located) =>
  item.place !== null && isPlaceRoot(item) ? { to: listOf(item.place).to } : folderRoute(item.parent_id)

/** The same within the product, without a slash at its start. */
export function locationPath(item: Located): string {
  if (item.place !== null && isPlaceRoot(item)) return listOf(item.place).to.slice(1)
  return item.parent_id === null ? 'files' : `files/${item.parent_id}`
}

export function useShowInFolder(): (item: Located) => void {
  const navigate = useNavigate()
  return item => {
    closeSmallDetails()
    void navigate({ ...locationRoute(item), state: { shown: { id: item.id, time: Date.now() } } })
  }
}

/** Whether the listing of a folder is on screen, and no preview covers it. */
export function useIsOnScreen(folderId: number | null): boolean {
  const match = useMatchRoute()({ to: '/files/{-$folderId}' })
  const isCovered = useSearch({ strict: false, select: ({ preview }) => preview !== undefined })
  return match !== false && !isCovered && (match.folderId ?? null) === (folderId === null ? null : String(folderId))
}
