/** Places: the own tree, team folders, and what others share. What a move between two of them means. */
import type { FileItem, Place } from './items.ts'

/** Whether the item is the topmost that the user reaches in its place, so that no folder around it is known. */
export const isPlaceRoot = ({ id, place }: Pick<FileItem, 'id' | 'place'>): boolean => place?.id === id

/** Where a place is found: among the team folders, or with whom it comes from. */
export const whereOf = ({ kind, from }: Place): string =>
  kind === 'team' ? 'Team folders' : `Shared by ${from ?? '…'}`

/**
 * Whether moving an item between two places is known to stay in one space. Two things that the same person shares may be
 * in one space too; the server tells.
 */
export const isSamePlace = (one: Place | null, other: Place | null): boolean => one?.id === other?.id

/** The name of a place for a sentence: `My files`, or the name that its owner gave it. */
export const placeName = (place: Place | null): string => place?.name ?? 'My files'

/** What becomes of the originals of a move, in a sentence; null if the folder is in no other place. */
export function moveNote(items: readonly Pick<FileItem, 'place'>[], place: Place | null): string | null {
  const others = items.filter(item => !isSamePlace(item.place, place))
  const [first] = others
  if (first === undefined) return null
  // Two shares of one person may lie in one space, where nothing is left behind.
  if (others.some(item => item.place?.kind === 'share' && item.place.from === place?.from)) return null
  const isOne = new Set(others.map(item => item.place?.id)).size === 1
  const trash = isOne ? `the trash of ${placeName(first.place)}` : 'the trash of their places'
  return `A copy is made there. ${others.length === 1 ? 'The original goes' : 'The originals go'} to ${trash}.`
}
