/** Which file is previewed over the page, and the files that the arrow keys step through. */
import { useEffect } from 'react'
import { create } from 'zustand'
import type { FileItem } from '../../../src/api/items.ts'

interface PreviewState {
  /** The files in order, without folders; empty while the preview is closed. */
  files: readonly FileItem[]
  /** The index of the file on screen. */
  index: number
  /** How many files follow that are not loaded yet. */
  unloaded: number
  /** Loads more of them. */
  loadMore: () => void
}

const nothing = (): void => undefined
const closed: PreviewState = { files: [], index: 0, unloaded: 0, loadMore: nothing }

export const usePreview = create<PreviewState>(() => closed)

const filesOf = (items: readonly FileItem[]) => items.filter(({ is_directory }) => !is_directory)
const indexOf = (files: readonly FileItem[], item: FileItem) => files.findIndex(({ id }) => id === item.id)

/** Opens the preview on a file; `among` is the list it belongs to, including folders. */
export function openPreview(item: FileItem, among: readonly FileItem[] = [item]): void {
  const files = filesOf(among)
  usePreview.setState({ ...closed, files, index: Math.max(0, indexOf(files, item)) })
}

export const closePreview = (): void => usePreview.setState(closed)

/** A paged list: what is loaded, the total, and how many of the total are folders. */
interface PagedList {
  items: readonly FileItem[]
  total: number
  folders: number
  loadMore: () => void
}

/** Lets an open preview step through its whole list, including pages loaded later. */
export function usePreviewed({ items, total, folders, loadMore }: PagedList): void {
  const isOpen = usePreview(({ files }) => files.length > 0)
  useEffect(() => {
    const { files: before, index } = usePreview.getState()
    const shown = before[index]
    if (!isOpen || shown === undefined) return
    const files = filesOf(items)
    const at = indexOf(files, shown)
    // A file that has left the list stays on screen, with its old neighbours.
    if (at < 0) return
    const unloadedFolders = Math.max(0, folders - (items.length - files.length))
    const unloaded = Math.max(0, total - items.length - unloadedFolders)
    usePreview.setState({ files, index: at, unloaded, loadMore })
  }, [isOpen, items, total, folders, loadMore])
}

/** The search parameter that every address may have: the file previewed over its screen. */
interface PreviewParams {
  preview?: number
}

export const readPreview = ({ preview }: Record<string, unknown>): PreviewParams =>
  // Set undefined explicitly: without the key the router would keep the address's raw value.
  ({ preview: typeof preview === 'number' && Number.isSafeInteger(preview) && preview > 0 ? preview : undefined })
