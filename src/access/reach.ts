/**
 * What a caller may do with an item where it lies. The only place that compares an item's space with a caller's own:
 * whatever else will give access, such as a share, is asked for here.
 */
import { AppError, notFound } from '../base/errors.ts'
import type { Principal } from './actor.ts'

/**
 * What is asked for at an item: to read it (`see`), to add to the folder that it is (`add`), to change its content or
 * metadata (`change`), to rename, move, trash or restore it (`organise`), or to delete it for good (`manage`).
 */
export type Need = 'see' | 'add' | 'change' | 'organise' | 'manage'

type Standing = ReadonlySet<Need>

/** What has a place in some space: an item, or the root of the space itself. */
interface Placed {
  space_id: number
}

const owner: Standing = new Set<Need>(['see', 'add', 'change', 'organise', 'manage'])

/** Whether an item lies in the caller's own tree: its favourite mark is then theirs, and a look at it is nobody's news. */
export const isOwn = ({ root }: Principal, { space_id }: Placed): boolean => root?.spaceId === space_id

/** What a caller may do at an item; null where it is not there for them. Costs no query in the caller's own space. */
const standingAt = (actor: Principal, item: Placed): Standing | null => (isOwn(actor, item) ? owner : null)

/** Whether an item is there for a caller, who may at least read it. */
export const isInReach = (actor: Principal, item: Placed): boolean => standingAt(actor, item) !== null

/**
 * Throws `not_found` (of a `noun` such as 'File') where the item is not there for the caller, and `forbidden` where it
 * is, and more is needed than they may do.
 */
export function requireStanding(actor: Principal, item: Placed, need: Need, noun: string): void {
  const standing = standingAt(actor, item)
  if (standing === null) throw notFound(noun)
  if (!standing.has(need)) throw new AppError('forbidden', 'You may not do this here')
}
