/** The File Manager: asks for the folder that the address names and hands what is there to the view. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { reasonOf } from '../../lib/call.ts'
import { type FolderPages, folderQuery, itemsOf } from '../../lib/folders.ts'
import { rememberFolder } from '../../lib/remembered-folder.ts'
import { useSorting } from '../../lib/sorting.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { type Folder, FolderView } from './folder-view.tsx'

/** Milliseconds before a listing that has not come yet is drawn as grey rows. */
const skeletonDelay = 150

function folderOf(data: FolderPages | undefined): Folder | null {
  const first = data?.pages[0]
  if (data === undefined || first === undefined) return null
  return {
    id: first.folder?.id ?? null,
    parentId: first.folder?.parent_id ?? null,
    name: first.folder?.name ?? 'Home',
    path: first.path,
    trail: first.breadcrumbs,
    items: itemsOf(data),
    total: first.total,
    totalFolders: first.total_folders,
  }
}

/** Until the next folder has come the last one stays, so that nothing flickers on a quick line. */
function useFolder(folderId: number | null) {
  const sorting = useSorting()
  const query = useInfiniteQuery({ ...folderQuery(folderId, sorting), placeholderData: keepPreviousData })
  const [dismissed, setDismissed] = useState(0)
  const { data, error, errorUpdateCount, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const isWaiting = useDelayed(query.isPending || query.isPlaceholderData, skeletonDelay)
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return {
    folder: folderOf(data),
    isWaiting,
    isArrived: data !== undefined && !query.isPlaceholderData,
    problem: error && errorUpdateCount > dismissed ? { title: 'Failed to load files', reason: reasonOf(error) } : null,
    dismiss: () => setDismissed(errorUpdateCount),
    reload: () => void query.refetch(),
    loadMore,
  }
}

export function FilesScreen() {
  const { folderId: given } = useParams({ strict: false })
  const folderId = given === undefined ? null : Number(given)
  const navigate = useNavigate()
  const shown = useFolder(folderId)
  /** The item to begin on after a way by keyboard: the folder one came from, or 'first'. */
  const arrival = useRef<number | 'first' | null>(null)

  useEffect(() => {
    if (shown.isArrived) rememberFolder(folderId)
  }, [shown.isArrived, folderId])

  const go = (id: number | null, focus: number | 'first' | null) => {
    arrival.current = focus
    void navigate({ to: '/files/{-$folderId}', params: { folderId: id === null ? undefined : String(id) } })
  }
  const { folder } = shown
  const startId = arrival.current === 'first' ? (folder?.items[0]?.id ?? null) : arrival.current
  // A view of its own for each folder: selection, menus and messages belong to the folder they arose in.
  return <FolderView key={folder?.id ?? 'root'} {...shown} folderId={folderId} startId={startId} onGo={go} />
}
