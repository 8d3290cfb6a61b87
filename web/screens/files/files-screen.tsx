/** The File Manager: loads the folder in the address and passes it to the view. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import { home, labelOf } from '../../items/destination.ts'
import type { Listing } from '../../items/list/listing.ts'
import { usePages } from '../../items/list/use-pages.ts'
import { type FolderPages, folderQuery, itemsOf } from '../../lib/data/folders.ts'
import { totalOf } from '../../lib/data/paging.ts'
import { rememberFolder, useLastFolder } from '../../lib/local/remembered-folder.ts'
import { useSorting } from '../../lib/local/sorting.ts'
import { lazyPart } from '../../lib/server/lazy-part.ts'
import { whenQuiet } from '../../lib/server/when-quiet.ts'
import { useOnceTrue } from '../../ui/use-once-true.ts'
import { type Folder, FolderView } from './folder-view.tsx'

const GoneFolder = lazyPart(() => import('./gone-folder.tsx'), 'GoneFolder')
const NewFolderDialog = lazyPart(() => import('./new-folder-dialog.tsx'), 'NewFolderDialog')

function folderOf(data: FolderPages | undefined): Folder | null {
  const first = data?.pages[0]
  if (first === undefined) return null
  const { folder: self, path, breadcrumbs: trail, may, held } = first
  return { self, path, trail, may, held }
}

/** Keeps the previous folder until the next one has loaded, so that nothing flickers on a fast connection. */
function useFolder(folderId: number | null) {
  const sorting = useSorting()
  const query = useInfiniteQuery({ ...folderQuery(folderId, sorting), placeholderData: keepPreviousData })
  const { loadMore, isStuck, ...rest } = usePages(query, 'Failed to load files')
  const { data } = query
  const folder = useMemo(() => folderOf(data), [data])
  const listing = useMemo((): Listing => {
    const items = data === undefined ? [] : itemsOf(data)
    const last = data?.pages.at(-1)
    return { items, total: totalOf(items.length, last), folders: last?.total_folders ?? 0, loadMore, isStuck }
  }, [data, loadMore, isStuck])
  const isGone = query.error instanceof ApiError && query.error.status === 404
  return { ...rest, folder, listing, isGone }
}

export function FilesScreen() {
  const { folderId: given } = useParams({ strict: false })
  const folderId = given === undefined ? null : Number(given)
  const navigate = useNavigate()
  const { isGone, ...shown } = useFolder(folderId)
  /** The item to focus after keyboard navigation: the folder that the user came from, or 'first'. */
  const arrival = useRef<number | 'first' | null>(null)

  const [isMaking, setMaking] = useState(false)
  const isDialogNeeded = useOnceTrue(isMaking)
  useEffect(() => void whenQuiet().then(NewFolderDialog.fetch), [])
  const [created, setCreated] = useState<{ id: number | null; folderId: number | null }>({ id: null, folderId })
  if (created.folderId !== folderId) setCreated({ id: null, folderId })

  const name = labelOf(shown.folder?.self ?? home)
  useEffect(() => {
    if (shown.isArrived) rememberFolder(folderId, name)
    else useLastFolder.setState({ id: folderId, name: null })
  }, [shown.isArrived, folderId, name])

  const go = (id: number | null, focus: number | 'first' | null) => {
    arrival.current = focus
    void navigate({ to: '/files/{-$folderId}', params: { folderId: id === null ? undefined : String(id) } })
  }
  const startId = arrival.current === 'first' ? (shown.listing.items[0]?.id ?? null) : arrival.current
  const { folder } = shown
  const shownId = folder === null ? folderId : (folder.self?.id ?? null)
  if (isGone) return <GoneFolder place={folder?.self?.place ?? null} />
  // The key gives each folder its own view, because selection, menus and messages belong to it. The text typed into a
  // field outlives the loading of its folder.
  return (
    <>
      <FolderView
        key={shownId ?? 'root'}
        {...shown}
        folderId={folderId}
        startId={startId}
        createdId={created.id}
        onNewFolder={() => setMaking(true)}
        onGo={go}
      />
      {isDialogNeeded && (
        <NewFolderDialog
          opened={isMaking}
          parentId={folderId}
          onClose={() => setMaking(false)}
          onCreated={({ id }) => setCreated({ id, folderId })}
        />
      )}
    </>
  )
}
