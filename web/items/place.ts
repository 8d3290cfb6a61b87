/** Where an item lies. */
import type { FileItem } from '../../src/api/items.ts'

/** The path of the folder that holds the item: `/Docs`, for the root `/`. */
export const parentPath = ({ path }: Pick<FileItem, 'path'>): string => path.slice(0, path.lastIndexOf('/')) || '/'
