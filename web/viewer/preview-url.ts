/** Where a file's bytes are served for viewing. */
import type { FileItem } from '../../src/api/items.ts'
import { apiUrl } from '../lib/server/config.ts'

export const previewUrl = ({ id }: Pick<FileItem, 'id'>): string => apiUrl(`/files/${id}/preview`)

/** The same for an element's `src`; the fragment stays in the browser and makes it ask anew for new content. */
export const previewSource = (item: Pick<FileItem, 'id' | 'size' | 'modified_at'>): string =>
  `${previewUrl(item)}#${item.size}-${item.modified_at}`
