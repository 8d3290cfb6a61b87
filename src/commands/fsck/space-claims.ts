/** Finds the personal spaces that are another user's than their owner's, and what puts their owner right. */
import type { Database } from '../../db/database.ts'
import {
  findFirstOwner,
  findItemOwners,
  findMadeWith,
  findSpacesOf,
  findTopOwners,
  type ItemOwner,
  isAllOf,
  type PersonalSpace,
  personalSpaces,
  proof,
  topFolder,
  weigh,
} from './space-evidence.ts'

type Claimant = Pick<ItemOwner, 'id' | 'username'>

interface Mend {
  /** The claimant gets the space, or two users exchange theirs. Null: nobody knows. */
  mend: 'give' | 'exchange' | null
  /** The claimant's own space. */
  other: PersonalSpace | undefined
}

/** A space that seems to be another user's than its owner's. */
export interface Claim extends Mend {
  space: PersonalSpace
  claimant: Claimant
}

/** Spaces with foreign folders at the top, without an owner, beside another of the owner, or as old as another user. */
export const findSuspects = (db: Database): Promise<PersonalSpace[]> =>
  db.rows<PersonalSpace>(
    `${personalSpaces} AND (o.id IS NULL
       OR EXISTS (SELECT 1 FROM files f WHERE ${topFolder} AND f.owner_id <> s.owner_id)
       OR EXISTS (SELECT 1 FROM spaces t WHERE t.owner_id = s.owner_id AND t.kind = 'personal' AND t.id <> s.id)
       OR (s.created_at <> o.created_at AND s.created_at IN (SELECT u.created_at FROM users u)))
     ORDER BY s.id`,
  )

/**
 * Whether it is sure that the owner of several spaces has one of them by a wrong value: there is a folder at its top, or
 * another one's items are the owner's. Files alone can be what a guest has left in a space, and the wrong one be empty.
 */
async function isTold(db: Database, { id, owner_id }: PersonalSpace, siblings: readonly PersonalSpace[]) {
  if ((await findTopOwners(db, id)).length > 0) return true
  for (const sibling of siblings) if (await isAllOf(db, sibling.id, owner_id)) return true
  return false
}

/** Whether a space goes to a user who has none. */
async function isGiven(db: Database, space: PersonalSpace, claimant: Claimant, siblings: readonly PersonalSpace[]) {
  for (const { id } of siblings) if (await isAllOf(db, id, claimant.id)) return false
  const weight = await weigh(db, space, claimant.id)
  if (weight === null || weight === proof) return weight === proof
  return weight > 0 && (siblings.length === 0 || (await isTold(db, space, siblings)))
}

/** Whether a space without an owner goes to a user who has got an empty one meanwhile. */
async function isGivenBack(db: Database, space: PersonalSpace, claimant: Claimant, other: PersonalSpace) {
  const weight = await weigh(db, space, claimant.id)
  if (weight === null || weight === proof) return weight === proof
  const isReplaced = (await findItemOwners(db, other.id)).length === 0
  return isReplaced && (await findTopOwners(db, space.id)).length > 0
}

/** Whether what is in two spaces says that their owners are exchanged. A single item may itself have a wrong owner. */
async function isExchanged(db: Database, space: PersonalSpace, other: PersonalSpace): Promise<boolean> {
  const weights = [await weigh(db, space, other.owner_id), await weigh(db, other, space.owner_id)]
  return !weights.includes(null) && weights.reduce<number>((sum, weight) => sum + (weight ?? 0), 0) > 1
}

/**
 * Whether a folder has a wrong owner rather than the space: a wrong value in one item makes one folder foreign. Either
 * the space is as old as its owner, or its items are the owner's and the other user's own space has folders of theirs.
 */
async function isItemWrong(db: Database, space: PersonalSpace, other: PersonalSpace): Promise<boolean> {
  const foreign = (await findTopOwners(db, space.id)).filter(({ id }) => id !== space.owner_id)
  if (foreign.reduce((sum, { items }) => sum + items, 0) !== 1) return false
  const first = await findFirstOwner(db, space.id, [space.owner_id, other.owner_id])
  if (first !== undefined) return first === space.owner_id
  const isOthersOwn =
    (await findFirstOwner(db, other.id, [space.owner_id, other.owner_id])) === other.owner_id ||
    ((await findTopOwners(db, other.id)).length > 0 && (await isAllOf(db, other.id, other.owner_id)))
  return isOthersOwn && (await weigh(db, space, other.owner_id)) === null
}

/** Finds what mends a claim; undefined if an item is wrong rather than the owner of the space. */
async function findMend(db: Database, space: PersonalSpace, claimant: Claimant): Promise<Mend | undefined> {
  const [other, ...more] = await findSpacesOf(db, claimant.id)
  const siblings = (await findSpacesOf(db, space.owner_id)).filter(({ id }) => id !== space.id)
  if (other === undefined) return { mend: (await isGiven(db, space, claimant, siblings)) ? 'give' : null, other }
  if (siblings.length > 0 || more.length > 0) return { mend: null, other }
  if (space.username === null) {
    return { mend: (await isGivenBack(db, space, claimant, other)) ? 'give' : null, other }
  }
  if (await isExchanged(db, space, other)) return { mend: 'exchange', other }
  return (await isItemWrong(db, space, other)) ? undefined : { mend: null, other }
}

/** The other user whose the items are: of all of them, or of as many as are the owner's. One alone may be wrong. */
async function findClaimant(db: Database, { id, owner_id, username }: PersonalSpace): Promise<Claimant | undefined> {
  const owners = await findItemOwners(db, id)
  // A missing owner of an item is another finding (items.ts).
  const others = owners.filter(owner => owner.id !== owner_id && owner.username !== null)
  if (owners.length === 1) return others[0]
  const made = await findMadeWith(db, id)
  if (owners.length === 0) return username === null && made.length === 1 ? made[0] : undefined
  if (made.some(user => user.id === owner_id)) return undefined
  const own = owners.find(owner => owner.id === owner_id)?.items ?? 0
  const isTop = (await findTopOwners(db, id)).length > 0
  return (
    others.find(other => made.some(user => user.id === other.id)) ??
    others.find(({ items }) => isTop && items > 1 && items >= own)
  )
}

export async function findClaim(db: Database, id: number): Promise<Claim | undefined> {
  const space = await db.row<PersonalSpace>(`${personalSpaces} AND s.id = $1`, [id])
  const claimant = space && (await findClaimant(db, space))
  if (space === undefined || claimant === undefined) return undefined
  const found = await findMend(db, space, claimant)
  return found === undefined ? undefined : { space, claimant, ...found }
}
