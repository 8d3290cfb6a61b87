/** Where an item is, as a person types it or reads it. */
import type { FileItem } from '../../src/api/items.ts'
import { isPlaceRoot, whereOf } from '../../src/api/places.ts'
import { shownPath } from '../places.ts'

type Located = Pick<FileItem, 'id' | 'path' | 'place'>

/** Returns the path of the folder that an item is in: `/Docs`, `@Accounts`. */
export function folderPathOf(item: Located): string {
  const path = shownPath(item)
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** The same; for the topmost item of a place, where such places are listed. */
export const locationOf = (item: Located): string =>
  item.place !== null && isPlaceRoot(item) ? whereOf(item.place) : folderPathOf(item)
