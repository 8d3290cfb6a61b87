/**
 * What a caller may do with an item, by its space. This is the only place that compares an item's space with the
 * caller's own; future ways of access, such as shares, belong here.
 */
import { AppError, notFound } from '../base/errors.ts'
import type { Principal } from './actor.ts'

/**
 * The access that is needed to an item: to read it (`see`), to add to it if it is a folder (`add`), to change its
 * content or metadata (`change`), to rename, move, trash or restore it (`organise`), or to delete it for good
 * (`manage`).
 */
export type Need = 'see' | 'add' | 'change' | 'organise' | 'manage'

type Standing = ReadonlySet<Need>

/** Anything in a space: an item, or the root of the space itself. */
interface Placed {
  space_id: number
}

const owner: Standing = new Set<Need>(['see', 'add', 'change', 'organise', 'manage'])

/** Whether an item is in the caller's own tree. Then its favourite mark is theirs, and reading it is not recorded. */
export const isOwn = ({ root }: Principal, { space_id }: Placed): boolean => root?.spaceId === space_id

/** Returns what a caller may do with an item, or null if they cannot see it. No query in their own space. */
const standingAt = (actor: Principal, item: Placed): Standing | null => (isOwn(actor, item) ? owner : null)

/** Whether a caller may at least read an item. */
export const isInReach = (actor: Principal, item: Placed): boolean => standingAt(actor, item) !== null

/**
 * Throws `not_found` (of a `noun` such as 'File') if the item does not exist for the caller, and `forbidden` if it does
 * but the caller may not do what is needed.
 */
export function requireStanding(actor: Principal, item: Placed, need: Need, noun: string): void {
  const standing = standingAt(actor, item)
  if (standing === null) throw notFound(noun)
  if (!standing.has(need)) throw new AppError('forbidden', 'You may not do this here')
}
