/** Where a file of the queue comes from, in words. */
import type { PendingFile } from '../../../src/api/validation.ts'
import { locationOf } from '../place.ts'

/** Who has put it there: `dora`, or `by the link “Class 3” of mona`. */
export function senderOf({ owner, by_link }: Pick<PendingFile, 'owner' | 'by_link'>): string {
  if (by_link === null) return owner
  return by_link.label === null ? `by a link of ${owner}` : `by the link “${by_link.label}” of ${owner}`
}

/** Its folder: `/Essays`, of another user `/Essays in mona’s files`, of a team folder `Marketing/Essays`. */
export function placeOf(file: PendingFile): string {
  const location = locationOf(file)
  if (file.space.kind === 'team') return location.slice(1)
  return file.space.owner === file.owner ? location : `${location} in ${file.space.owner}’s files`
}
