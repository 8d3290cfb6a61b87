/** A list or grid of items on paper. */
import { useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { PrintedList } from '../../ui/print/printed-list.tsx'
import { folderAndFileCount, itemCount } from '../counts.ts'
import type { Listing } from '../list/listing.ts'
import { locationOf } from '../place.ts'
import { itemColumns } from './item-columns.tsx'
import { loadPictures } from './load-pictures.ts'
import { PrintedGrid } from './printed-grid.tsx'

interface PrintedItemsProps {
  listing: Omit<Listing, 'folders'>
  isGrid?: boolean
  /** Whether the items lie in several folders, which are then named. */
  isMixed: boolean
}

export function PrintedItems({ listing, isGrid = false, isMixed }: PrintedItemsProps) {
  const { items, total, loadMore, isStuck } = listing
  const pictures = useRef<HTMLImageElement[]>([])
  const keepPictures = async () => {
    pictures.current = await loadPictures(items)
  }
  const query = useSearch({ strict: false, select: ({ q }: { q?: string }) => q })
  const { name, tags, folder, size, date } = itemColumns
  const from = isMixed ? query && `“${query}”` : items[0] && locationOf(items[0])
  return (
    <PrintedList
      words={[from, itemCount(total), items.length === total && contentsOf(items)].filter(Boolean).join(' · ')}
      rows={items}
      total={total}
      keyOf={({ id }) => id}
      columns={isMixed ? [name, tags, folder, size, date] : [name, tags, size, date]}
      loadMore={loadMore}
      isStuck={isStuck}
      finish={isGrid ? keepPictures : undefined}
    >
      {isGrid ? rows => <PrintedGrid items={rows} /> : undefined}
    </PrintedList>
  )
}

function contentsOf(items: readonly FileItem[]): string {
  const folders = items.filter(item => item.is_directory).length
  return folderAndFileCount(folders, items.length - folders)
}
