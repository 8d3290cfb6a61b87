/** The address of a file's bytes for viewing. */
import type { FileItem } from '../../src/api/items.ts'
import { itemUrl } from '../lib/server/config.ts'

export const previewUrl = ({ id }: Pick<FileItem, 'id'>): string => itemUrl(id, 'preview')

/** The same for an element's `src`. Browsers do not send the fragment; a new one makes them fetch new content. */
export const previewSource = (item: Pick<FileItem, 'id' | 'size' | 'modified_at'>): string =>
  `${previewUrl(item)}#${item.size}-${item.modified_at}`
