/** Showing an item in its folder: the folder opens, scrolls to the item and gives it the focus. */
import { useMatchRoute, useNavigate, useSearch } from '@tanstack/react-router'
import type { FileItem } from '../../src/api/items.ts'
import { closeSmallDetails } from './details/use-details.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The item to show in the folder of the address; `time` (ms) makes each request another one. */
    shown?: { id: number; time: number }
  }
}

/** The address of a folder for links and `navigate`; null is the root. */
export const folderRoute = (folderId: number | null) =>
  ({ to: '/files/{-$folderId}', params: { folderId: folderId === null ? undefined : String(folderId) } }) as const

export function useShowInFolder(): (item: Pick<FileItem, 'id' | 'parent_id'>) => void {
  const navigate = useNavigate()
  return ({ id, parent_id }) => {
    closeSmallDetails()
    void navigate({ ...folderRoute(parent_id), state: { shown: { id, time: Date.now() } } })
  }
}

/** Whether the listing of a folder is on screen, and no preview covers it. */
export function useIsOnScreen(folderId: number | null): boolean {
  const match = useMatchRoute()({ to: '/files/{-$folderId}' })
  const isCovered = useSearch({ strict: false, select: ({ preview }) => preview !== undefined })
  return match !== false && !isCovered && (match.folderId ?? null) === (folderId === null ? null : String(folderId))
}
