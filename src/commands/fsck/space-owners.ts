/**
 * Checks that each personal space is its owner's. The folders at its top tell that: they belong to the owner, whoever made
 * them (files/top-folder.ts). Files may belong to others who added them, so they count only where there is no such folder.
 */
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import { type Recorder, systemActor } from '../../db/write.ts'
import type { Check } from './finding.ts'

export interface PersonalSpace {
  id: number
  owner_id: number
  username: string
}

const personal = `SELECT s.id, s.owner_id, o.username FROM spaces s JOIN users o ON o.id = s.owner_id
  WHERE s.kind = 'personal'`

export const findSpacesOf = (db: Database, userId: number): Promise<PersonalSpace[]> =>
  db.rows<PersonalSpace>(`${personal} AND s.owner_id = $1 ORDER BY s.id`, [userId])

/** The folders `f` at the top of a space `s`, without the one that is being transferred to its owner's heir. */
const topFolder = `f.space_id = s.id AND f.live_parent = 0 AND f.is_directory = 1
  AND f.id <> COALESCE(s.transfer_folder_id, 0)`

const suspects = `${personal} AND (
    EXISTS (SELECT 1 FROM files f WHERE ${topFolder} AND f.owner_id <> s.owner_id)
    OR EXISTS (SELECT 1 FROM spaces t WHERE t.owner_id = s.owner_id AND t.kind = 'personal' AND t.id <> s.id))
  ORDER BY s.id`

interface ItemOwner {
  id: number
  /** Null: there is no such user. */
  username: string | null
}

/** Whose a space is by its items: the owners of the folders at its top, or of all items if there are none. */
export async function findItemOwners(db: Database, spaceId: number): Promise<ItemOwner[]> {
  const read = (items: string) =>
    db.rows<ItemOwner>(
      `SELECT DISTINCT f.owner_id AS id, u.username FROM spaces s JOIN files f ON ${items}
         LEFT JOIN users u ON u.id = f.owner_id WHERE s.id = $1`,
      [spaceId],
    )
  const owners = await read(topFolder)
  return owners.length > 0 ? owners : read('f.space_id = s.id')
}

async function isAllOf(db: Database, spaceId: number, userId: number): Promise<boolean> {
  const owners = await findItemOwners(db, spaceId)
  return owners.length === 1 && owners[0]?.id === userId
}

/**
 * Whether it is sure that the owner of several spaces has one of them by a wrong value: there is a folder at its top, or
 * another one's items are the owner's. Files alone can be what a guest has left in a space, and the wrong one be empty.
 */
async function isTold(db: Database, { id, owner_id }: PersonalSpace, siblings: readonly PersonalSpace[]) {
  const folder = `SELECT f.id FROM spaces s JOIN files f ON ${topFolder} WHERE s.id = $1 LIMIT 1`
  if ((await db.row(folder, [id])) !== undefined) return true
  for (const sibling of siblings) if (await isAllOf(db, sibling.id, owner_id)) return true
  return false
}

/** Whether more items of a space are the one user's than the other's. */
async function ownsMore(db: Database, spaceId: number, userId: number, otherId: number): Promise<boolean> {
  const count = `(SELECT COUNT(*) FROM files f WHERE f.space_id = s.id AND f.owner_id =`
  const sql = `SELECT s.id FROM spaces s WHERE s.id = $1 AND ${count} $2) > ${count} $3)`
  return (await db.row(sql, [spaceId, userId, otherId])) !== undefined
}

/** A space whose items are of one other user than its owner. */
interface Claim {
  space: PersonalSpace
  claimant: ItemOwner
  /** What puts the owner right: the claimant gets it, or two users exchange theirs. Null: nobody knows. */
  mend: 'give' | 'exchange' | null
  /** The claimant's own space. */
  other: PersonalSpace | undefined
}

/** Finds what mends a claim; undefined if the items are wrong rather than the owner of the space. */
async function findMend(
  db: Database,
  { space, claimant }: Omit<Claim, 'mend' | 'other'>,
): Promise<Pick<Claim, 'mend' | 'other'> | undefined> {
  const [other, ...more] = await findSpacesOf(db, claimant.id)
  const siblings = (await findSpacesOf(db, space.owner_id)).filter(({ id }) => id !== space.id)
  const isOnly = siblings.length === 0
  const isSure = () => ownsMore(db, space.id, claimant.id, space.owner_id)
  if (other === undefined) {
    for (const { id } of siblings) if (await isAllOf(db, id, claimant.id)) return { mend: null, other }
    if (isOnly) return (await isSure()) ? { mend: 'give', other } : undefined
    return { mend: (await isTold(db, space, siblings)) ? 'give' : null, other }
  }
  // Whether a second space may be joined is checked with it (accounts.ts).
  if (!isOnly) return undefined
  if (more.length > 0) return { mend: null, other }
  const [owner, ...others] = await findItemOwners(db, other.id)
  if (owner === undefined || owner.id === claimant.id || others.length > 0) return undefined
  const isExchanged =
    owner.id === space.owner_id && (await isSure()) && (await ownsMore(db, other.id, owner.id, claimant.id))
  return { mend: isExchanged ? 'exchange' : null, other }
}

async function findClaim(db: Database, id: number): Promise<Claim | undefined> {
  const space = await db.row<PersonalSpace>(`${personal} AND s.id = $1`, [id])
  const [claimant, ...others] = await findItemOwners(db, id)
  if (space === undefined || claimant === undefined || others.length > 0) return undefined
  // A missing owner of an item is another finding (items.ts).
  if (claimant.id === space.owner_id || claimant.username === null) return undefined
  const found = await findMend(db, { space, claimant })
  return found === undefined ? undefined : { space, claimant, ...found }
}

function detailOf({ claimant: { username }, mend, other }: Claim): string {
  if (mend === 'give') return `its items are of '${username}', who has no storage`
  if (mend === null) return `its items are of '${username}', and nobody knows whose it is`
  return `its owner and that of space ${other?.id} are exchanged: the items in each are of the owner of the other`
}

async function changeOwner(db: Database, record: Recorder, id: number, userId: number): Promise<void> {
  await db.update(db.spaces, { owner_id: userId }, id)
  record('space.repair', { id, spaceId: id }, { columns: ['owner_id'] })
}

const mendClaim = (db: Database, { space, mend, other }: Claim): Promise<boolean> =>
  db.write(systemActor, async record => {
    record.nothing()
    const ids = [space.id, ...(mend === 'exchange' && other !== undefined ? [other.id] : [])]
    for (const id of ids.sort((a, b) => a - b)) await lockSpace(db, id)
    const current = await findClaim(db, space.id)
    if (current?.mend !== mend || current.other?.id !== other?.id) return false
    await changeOwner(db, record, space.id, current.claimant.id)
    if (other !== undefined) await changeOwner(db, record, other.id, current.space.owner_id)
    return true
  })

/** Call it before users get spaces, or spaces are joined: both would hide whose a space is. */
export async function checkSpaceOwners({ deps: { db }, disputed, report, signal }: Check): Promise<void> {
  for (const { id } of await db.rows<PersonalSpace>(suspects)) {
    signal.throwIfAborted()
    const claim = await findClaim(db, id)
    if (claim === undefined) continue
    const { space, mend, other } = claim
    disputed.add(id)
    // An exchange is one finding.
    if (mend === 'exchange' && other !== undefined && disputed.has(other.id)) continue
    const finding = {
      verdict: mend === null ? 'lost' : 'repairable',
      problem: 'space-owner',
      name: `space ${id} of '${space.username}'`,
      detail: detailOf(claim),
      space_id: id,
    } as const
    const repair = async () => {
      const isMended = await mendClaim(db, claim)
      disputed.delete(id)
      return isMended
    }
    await report(finding, mend === null ? undefined : repair)
  }
}
