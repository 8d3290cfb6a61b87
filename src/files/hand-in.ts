/** Files that somebody adds to a folder in which they see nothing else: hand-ins into a drop box. */
import type { Actor } from '../access/actor.ts'
import { maxNameBytes } from '../api/limits.ts'
import { cutToBytes, splitName, utf8Length } from '../api/names.ts'
import type { Place } from './find.ts'

/** Whether what the actor adds to a place is a hand-in. */
export const isDropBox = ({ standing: { here } }: Pick<Place, 'standing'>): boolean => here.add && !here.see

/**
 * The name of a hand-in: the user's in front. Otherwise a number in the name would tell that somebody else has handed
 * in a file of the same name.
 */
export function handInName({ username }: Actor, name: string): string {
  const before = `${username} - `
  const { stem, extension } = splitName(name, false)
  const room = maxNameBytes - utf8Length(before + extension)
  return room > 0 ? before + cutToBytes(stem, room) + extension : cutToBytes(before + name, maxNameBytes)
}
