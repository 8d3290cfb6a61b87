/** The location of an item: the place that it is in, and the path there. */
import type { FileItem, Place } from '../../src/api/items.ts'
import { isPlaceRoot, whereOf } from '../../src/api/places.ts'

/** The path of the item's folder in its place: `/Docs`, or `/` for the root. */
const parentPath = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** A path with the place that it begins in: `/Docs`, in a team folder `Marketing/Docs`. */
export const pathIn = (place: Place | null, path: string): string =>
  place === null ? path : `${place.name}${path === '/' ? '' : path}`

/** Where an item is, in words: its folder with the place, as in `Marketing/Docs`. */
export function locationOf(item: Pick<FileItem, 'id' | 'place' | 'path'>): string {
  if (item.place !== null && isPlaceRoot(item)) return whereOf(item.place)
  return pathIn(item.place, parentPath(item.path))
}
