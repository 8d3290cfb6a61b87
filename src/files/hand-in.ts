/** Files that somebody adds to a folder in which they see nothing else: hand-ins into a drop box, and by a link. */
import type { Caller } from '../access/actor.ts'
import { maxNameBytes } from '../api/limits.ts'
import { cutToBytes, splitName, utf8Length } from '../api/names.ts'
import type { Place } from './find.ts'

/** Whether what the actor adds to a place is a hand-in. */
export const isDropBox = ({ standing: { here } }: Pick<Place, 'standing'>): boolean => here.add && !here.see

/** The name of a hand-in: the sender's in front. */
export function handInName(sender: string, name: string): string {
  const before = `${sender} - `
  const { stem, extension } = splitName(name, false)
  const room = maxNameBytes - utf8Length(before + extension)
  return room > 0 ? before + cutToBytes(stem, room) + extension : cutToBytes(before + name, maxNameBytes)
}

/**
 * The name that an upload gets in a place, as far as it is free. That of a user's hand-in begins with the user's;
 * otherwise a number in the name would tell that somebody else has handed in a file of the same name. Visitors are not
 * told the name that their file got.
 */
export const nameIn = (place: Place, actor: Caller, name: string): string =>
  isDropBox(place) && actor.link === null ? handInName(actor.username, name) : name

/** By whom a file in a place was received: 0 for a user's hand-in, a link's id, or null for what its owner put there. */
export const receivedBy = (place: Place, { link }: Caller): number | null =>
  link === null ? (isDropBox(place) ? 0 : null) : link.id
