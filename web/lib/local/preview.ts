/** Which file is previewed over the page, and the files that its arrow keys lead to. */
import { useEffect } from 'react'
import { create } from 'zustand'
import type { FileItem } from '../../../src/api/items.ts'

interface PreviewState {
  /** The files in their order, folders left out; empty while nothing is previewed. */
  files: readonly FileItem[]
  /** The position of the file on screen. */
  index: number
  /** Files that stand behind these and are not loaded yet. */
  unloaded: number
  /** Brings more of them. */
  loadMore: () => void
}

const nothing = (): void => undefined
const closed: PreviewState = { files: [], index: 0, unloaded: 0, loadMore: nothing }

export const usePreview = create<PreviewState>(() => closed)

const filesOf = (items: readonly FileItem[]) => items.filter(({ is_directory }) => !is_directory)
const indexOf = (files: readonly FileItem[], item: FileItem) => files.findIndex(({ id }) => id === item.id)

/** Opens the preview on a file; `among` are the items it stands among, folders too. */
export function openPreview(item: FileItem, among: readonly FileItem[] = [item]): void {
  const files = filesOf(among)
  usePreview.setState({ ...closed, files, index: Math.max(0, indexOf(files, item)) })
}

export const closePreview = (): void => usePreview.setState(closed)

/** A list that comes page by page: what is loaded, how much there is, and how many of it are folders. */
interface PagedList {
  items: readonly FileItem[]
  total: number
  folders: number
  loadMore: () => void
}

/** Lets an open preview go on through all of the list it was opened from, also what that loads only later. */
export function usePreviewed({ items, total, folders, loadMore }: PagedList): void {
  const isOpen = usePreview(({ files }) => files.length > 0)
  useEffect(() => {
    const { files: before, index } = usePreview.getState()
    const shown = before[index]
    if (!isOpen || shown === undefined) return
    const files = filesOf(items)
    const at = indexOf(files, shown)
    // A file that has gone from the list stays on screen, among those it stood among.
    if (at < 0) return
    const unloadedFolders = Math.max(0, folders - (items.length - files.length))
    const unloaded = Math.max(0, total - items.length - unloadedFolders)
    usePreview.setState({ files, index: at, unloaded, loadMore })
  }, [isOpen, items, total, folders, loadMore])
}

/** What every address may say beside its own search: the file that is previewed over its screen. */
interface PreviewParams {
  preview?: number
}

export const readPreview = ({ preview }: Record<string, unknown>): PreviewParams =>
  // An explicit undefined: without it the router would keep what the address says.
  ({ preview: typeof preview === 'number' && Number.isSafeInteger(preview) && preview > 0 ? preview : undefined })
