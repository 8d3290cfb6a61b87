/** The address of an item's thumbnail. */
import type { FileItem } from '../../../src/api/items.ts'
import { itemUrl } from '../server/config.ts'

/** Null for an item without one. */
export function thumbnailUrl(item: Partial<Pick<FileItem, 'id' | 'thumbnail_path' | 'updated_at'>>): string | null {
  if (item.thumbnail_path === null || item.thumbnail_path === undefined) return null
  // Browsers do not send the fragment. A new one makes them fetch again, so that new content gets its thumbnail.
  return `${itemUrl(item.id, 'thumbnail')}#${item.updated_at}`
}
