/**
 * The open preview: its files in the store, the current one in the address too, so that Back, reload and links work.
 */
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../src/api/client.ts'
import type { FileItem } from '../../src/api/items.ts'
import { isPlaceRoot } from '../items/place.ts'
import { folderQuery, itemsOf } from '../lib/data/folders.ts'
import { itemQuery } from '../lib/data/metadata.ts'
import { closePreview, openPreview, usePreview } from '../lib/local/preview.ts'
import { sortingNow } from '../lib/local/sorting.ts'
import { queryClient } from '../lib/server/query-client.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the previous history entry is the same page without the preview. */
    isOverPage?: boolean
  }
}

/** More files are requested this many files before the last loaded one. */
const nearEnd = 30
/** A file from the address is searched for in at most this many pages of its folder. */
const mostPages = 6

interface OpenPreview {
  files: readonly FileItem[]
  index: number
  /** How many files there are, loaded or not. */
  total: number
  /** Why the file in the address could not be opened. */
  problem: unknown
  go: (index: number) => void
  close: () => void
}

export function useOpenPreview(): OpenPreview {
  const { files, index, unloaded, loadMore } = usePreview()
  const addressed = useSearch({ strict: false, select: ({ preview }) => preview })
  const navigate = useNavigate()
  const { history } = useRouter()
  const wasAddressed = useRef(false)
  const [problem, setProblem] = useState<unknown>(null)
  const id = files[index]?.id

  useEffect(() => {
    if (id !== undefined && addressed === undefined) {
      // Either Back or a link removed the preview from the address, or the preview has just been opened.
      if (wasAddressed.current) closePreview()
      else
        void navigate({
          to: '.',
          search: now => ({ ...now, preview: id }),
          state: now => ({ ...now, isOverPage: true }),
        })
    }
    if (id === undefined && addressed !== undefined && !wasAddressed.current) void restore(addressed).catch(setProblem)
    wasAddressed.current = addressed !== undefined
  }, [id, addressed, navigate])

  const isNearEnd = unloaded > 0 && index + nearEnd >= files.length
  useEffect(() => {
    if (isNearEnd) loadMore()
  }, [isNearEnd, loadMore])

  const replace = (preview: number | undefined) =>
    void navigate({ to: '.', search: now => ({ ...now, preview }), state: now => now, replace: true })
  return {
    files,
    index,
    total: files.length + unloaded,
    problem,
    go: next => {
      usePreview.setState({ index: next })
      replace(files[next]?.id)
    },
    close: () => (history.location.state.isOverPage === true ? history.back() : replace(undefined)),
  }
}

/** Opens the file in the address after a reload or through a link, together with its folder's files. */
async function restore(id: number): Promise<void> {
  const file = await queryClient.fetchQuery(itemQuery(id))
  if (file.is_directory) throw new ApiError(404, 'It is a folder, which has no preview.')
  const among = await readFolder(file)
  openPreview(file, among)
}

/** The folder's listing up to the page with the file; only the file itself when it is not found. */
async function readFolder(file: FileItem): Promise<readonly FileItem[]> {
  if (isPlaceRoot(file)) return [file]
  const query = folderQuery(file.parent_id, sortingNow())
  for (const further of [{}, { pages: mostPages, staleTime: 0 }]) {
    // A reviewer may open a file in somebody else's folder, whose listing is refused.
    const listing = await queryClient.fetchInfiniteQuery({ ...query, ...further }).catch(() => undefined)
    const items = listing === undefined ? [] : itemsOf(listing)
    if (items.some(({ id }) => id === file.id)) return items
    if (listing?.pages.at(-1)?.next_cursor == null) break
  }
  return [file]
}
