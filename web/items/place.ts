/** The location of an item: the place that it is in, and the path there. */
import type { FileItem, Place } from '../../src/api/items.ts'

/** The path of the item's folder in its place: `/Docs`, or `/` for the root. */
const parentPath = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** A path with the place that it begins in: `/Docs`, in a team folder `Marketing/Docs`. */
export const pathIn = (place: Place | null, path: string): string =>
  place === null ? path : `${place.name}${path === '/' ? '' : path}`

/** Whether the item is the topmost that the user reaches in its place, so that no folder around it is known. */
export const isPlaceRoot = ({ id, place }: Pick<FileItem, 'id' | 'place'>): boolean => place?.id === id

/** Where a place is found: among the team folders, or with whom it comes from. */
const whereOf = ({ kind, from }: Place): string => (kind === 'team' ? 'Team folders' : `Shared by ${from ?? '…'}`)

/** Where an item is, in words: its folder with the place, as in `Marketing/Docs`. */
export function locationOf(item: Pick<FileItem, 'id' | 'place' | 'path'>): string {
  if (item.place !== null && isPlaceRoot(item)) return whereOf(item.place)
  return pathIn(item.place, parentPath(item.path))
}

/**
 * Whether moving an item between two places is known to stay in one space. Two things that the same person shares may be
 * in one space too; the server tells.
 */
export const isSamePlace = (one: Place | null, other: Place | null): boolean => one?.id === other?.id

/** The name of a place for a sentence: `My files`, or the name that its owner gave it. */
export const placeName = (place: Place | null): string => place?.name ?? 'My files'
