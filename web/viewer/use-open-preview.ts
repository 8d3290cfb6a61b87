/** The preview as it is open: in the store with its files, and in the address, so that Back, reload and links work. */
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../src/api/client.ts'
import type { FileItem } from '../../src/api/items.ts'
import { folderQuery, itemsOf } from '../lib/data/folders.ts'
import { itemQuery } from '../lib/data/metadata.ts'
import { closePreview, openPreview, usePreview } from '../lib/local/preview.ts'
import { useSorting } from '../lib/local/sorting.ts'
import { queryClient } from '../lib/server/query-client.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the entry before this one is the same page without the preview. */
    isOverPage?: boolean
  }
}

/** Files before the last loaded one at which more are asked for. */
const nearEnd = 30
/** Pages of a folder in which a file that an address names is looked for. */
const mostPages = 6

interface OpenPreview {
  files: readonly FileItem[]
  index: number
  /** How many files there are, also those that are not loaded yet. */
  total: number
  /** Why what the address names could not be opened. */
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
      // Back, or a link to another page, has taken it out of the address; or it has just been opened.
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

/** Opens what the address names after a reload or by a link, among the files of its folder. */
async function restore(id: number): Promise<void> {
  const file = await queryClient.fetchQuery(itemQuery(id))
  if (file.is_directory) throw new ApiError(404, 'It is a folder, which has no preview.')
  const among = await readFolder(file)
  openPreview(file, among)
}

/** What a file's folder lists, as far as the page that the file stands on; itself alone where it is not found. */
async function readFolder(file: FileItem): Promise<readonly FileItem[]> {
  const query = folderQuery(file.parent_id, useSorting.getState())
  for (const further of [{}, { pages: mostPages, staleTime: 0 }]) {
    // Another's folder, which a reviewer's file may stand in, is not to be seen.
    const listing = await queryClient.fetchInfiniteQuery({ ...query, ...further }).catch(() => undefined)
    const items = listing === undefined ? [] : itemsOf(listing)
    if (items.some(({ id }) => id === file.id)) return items
    if (listing?.pages.at(-1)?.next_cursor == null) break
  }
  return [file]
}
