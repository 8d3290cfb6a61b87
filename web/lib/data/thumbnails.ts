/** Where an item's small picture is served. */
import type { FileItem } from '../../../src/api/items.ts'
import { apiUrl } from '../server/config.ts'

/** Null for what has none. */
export function thumbnailUrl(item: Partial<Pick<FileItem, 'id' | 'thumbnail_path' | 'updated_at'>>): string | null {
  if (item.thumbnail_path === null || item.thumbnail_path === undefined) return null
  // The fragment never leaves the browser; another one makes it ask anew, so that new content shows its own picture.
  return `${apiUrl(`/files/${item.id}/thumbnail`)}#${item.updated_at}`
}
