/**
 * The open preview: its files in the store, the current one in the address too, so that Back, reload and links work.
 */

import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../src/api/client.ts'
import type { FileItem } from '../../src/api/items.ts'
import { isPlaceRoot } from '../../src/api/places.ts'
import { folderQuery, itemsOf } from '../lib/data/folders.ts'
import { itemQuery } from '../lib/data/metadata.ts'
import { pendingQueryOf } from '../lib/data/pending.ts'
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
  /** Takes a file out; the next one follows or, at the end, the one before. Without others the preview closes. */
  leave: (id: number) => void
  close: () => void
  /** Whether it lies over the validation queue, and its files wait for approval. */
  isQueue: boolean
}

const queueAddress = '/validation'

export function useOpenPreview(): OpenPreview {
  const { files, index, unloaded, loadMore } = usePreview()
  const addressed = useSearch({ strict: false, select: ({ preview }) => preview })
  const isQueue = useLocation({ select: ({ pathname }) => pathname === queueAddress })
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
    if (id === undefined && addressed !== undefined && !wasAddressed.current)
      void restore(addressed, isQueue).catch(setProblem)
    wasAddressed.current = addressed !== undefined
  }, [id, addressed, navigate, isQueue])

  const isNearEnd = unloaded > 0 && index + nearEnd >= files.length
  useEffect(() => {
    if (isNearEnd) loadMore()
  }, [isNearEnd, loadMore])

  const replace = (preview: number | undefined) =>
    void navigate({ to: '.', search: now => ({ ...now, preview }), state: now => now, replace: true })
  const close = () => (history.location.state.isOverPage === true ? history.back() : replace(undefined))
  return {
    files,
    index,
    total: files.length + unloaded,
    problem,
    go: next => {
      usePreview.setState({ index: next })
      replace(files[next]?.id)
    },
    leave: left => {
      const before = usePreview.getState()
      const rest = before.files.filter(file => file.id !== left)
      // The user may have gone on to another file meanwhile.
      const shown = before.files[before.index]?.id
      const stays = rest.findIndex(file => file.id === shown)
      const next = stays >= 0 ? stays : Math.min(before.index, rest.length - 1)
      if (rest.length === 0) return close()
      usePreview.setState({ files: rest, index: next })
      replace(rest[next]?.id)
    },
    close,
    isQueue,
  }
}

/** Opens the file in the address after a reload or through a link, together with its folder's files or the queue. */
async function restore(id: number, isQueue: boolean): Promise<void> {
  const file = await queryClient.fetchQuery(itemQuery(id))
  if (file.is_directory) throw new ApiError(404, 'It is a folder, which has no preview.')
  const among = isQueue ? await queryClient.fetchQuery(pendingQueryOf(null)) : await readFolder(file)
  openPreview(file, among.some(({ id: listed }) => listed === id) ? among : [file])
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
