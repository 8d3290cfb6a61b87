/** The location of an item. */
import type { FileItem } from '../../src/api/items.ts'

/** The path of the item's folder: `/Docs`, or `/` for the root. */
export const parentPath = ({ path }: Pick<FileItem, 'path'>): string => path.slice(0, path.lastIndexOf('/')) || '/'
