/** Checks that each user has one storage space, and what users own: tags and metadata on their files, and API keys. */
import { defaultStorageQuota } from '../../api/limits.ts'
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import type { Recorder } from '../../db/recorder.ts'
import { systemActor } from '../../db/write-actor.ts'
import { findFreeName } from '../../files/free-name.ts'
import { nameColumns } from '../../files/item-name.ts'
import type { Check } from './finding.ts'
import { checkKeyMakers } from './key-makers.ts'
import { checkMarks } from './marks.ts'
import { checkEveryone, checkMembersOfEveryone, checkShares } from './shares.ts'
import { checkSkeletons } from './skeletons.ts'
import { findItemOwners, findSpacesOf, type PersonalSpace } from './space-evidence.ts'
import { checkSpaceOwners } from './space-owners.ts'
import { findTeamsClaimedBy } from './team-claims.ts'
import { checkTeamOwners } from './team-owners.ts'
import { checkTeams, noteUnmanagedTeams } from './teams.ts'

interface User {
  id: number
  username: string
}

/** A space of an unknown kind may be the user's (space-kinds.ts). */
const withoutSpace = `SELECT u.id, u.username FROM users u
  WHERE NOT EXISTS (SELECT 1 FROM spaces s WHERE s.owner_id = u.id AND COALESCE(s.kind, '') <> 'team')`

async function addSpace(db: Database, { id }: User): Promise<boolean> {
  return db.write(systemActor, async record => {
    record.nothing()
    if ((await db.row(`${withoutSpace} AND u.id = $1`, [id])) === undefined) return false
    const spaceId = await db.insert(db.spaces, {
      kind: 'personal',
      owner_id: id,
      storage_quota: defaultStorageQuota,
      created_at: Date.now(),
    })
    record('space.repair', { id: spaceId, spaceId })
    return true
  })
}

/** Whether a storage that says that it is a team's may be the user's own (space-kinds.ts). */
async function mayHaveSpace({ deps: { db }, disputed }: Check, { id }: User): Promise<boolean> {
  const owned = await db.rows<{ id: number }>('SELECT id FROM spaces WHERE owner_id = $1', [id])
  return [...owned.map(row => row.id), ...(await findTeamsClaimedBy(db, id))].some(space => disputed.has(space))
}

async function checkMissingSpaces(check: Check): Promise<void> {
  const { db } = check.deps
  for (const user of await db.rows<User>(`${withoutSpace} ORDER BY u.id`)) {
    if (await mayHaveSpace(check, user)) continue
    // A user and the space are created in one write, and deleted in one, so look again before reporting.
    if ((await db.row(`${withoutSpace} AND u.id = $1`, [user.id])) === undefined) continue
    const detail = 'the user has no storage, and so cannot sign in'
    await check.report({ verdict: 'repairable', problem: 'space-missing', name: user.username, detail }, () =>
      addSpace(db, user),
    )
  }
}

/** A surplus space of a user, and the one with which it is joined. */
interface SecondSpace {
  id: number
  first: number
}

interface RootItem {
  id: number
  name: string
  is_directory: 0 | 1
}

/** Moves the live items in its root to the other space's root, under free names there, then everything else. */
async function joinSpaces(db: Database, { id, first }: SecondSpace, record: Recorder): Promise<void> {
  const roots = await db.rows<RootItem>(
    'SELECT id, name, is_directory FROM files WHERE space_id = $1 AND live_parent = 0 ORDER BY id',
    [id],
  )
  for (const { id: itemId, name, is_directory } of roots) {
    const free = await findFreeName(db, first, null, name, is_directory === 1)
    await db.update(db.files, { space_id: first, ...nameColumns(free, is_directory === 1) }, itemId)
  }
  for (const table of ['files', 'shares', 'links', 'uploads']) {
    await db.change(`UPDATE ${table} SET space_id = $1 WHERE space_id = $2`, [first, id])
  }
  await db.change('UPDATE api_keys SET scope_space_id = $1 WHERE scope_space_id = $2', [first, id])
  await db.change('DELETE FROM spaces WHERE id = $1', [id])
  await db.change(
    `UPDATE spaces SET storage_used = (SELECT COALESCE(SUM(f.size), 0) FROM files f WHERE f.space_id = $1),
       item_count = (SELECT COUNT(*) FROM files f WHERE f.space_id = $1) WHERE spaces.id = $1`,
    [first],
  )
  record('space.repair', { id: first, spaceId: first })
}

/** Looks again whether a space is a surplus one of its owner, and joins it with the first. */
const joinAgain = ({ deps: { db }, disputed }: Check, userId: number, id: number): Promise<boolean> =>
  db.write(systemActor, async record => {
    record.nothing()
    for (const space of await findSpacesOf(db, userId)) await lockSpace(db, space.id)
    const [first, ...others] = (await sortSpaces(db, userId)).own.filter(space => !disputed.has(space.id))
    if (first === undefined || !others.some(space => space.id === id)) return false
    await joinSpaces(db, { id, first: first.id }, record)
    return true
  })

const severalSpaces = `SELECT owner_id FROM spaces WHERE kind = 'personal' AND owner_id IN (SELECT id FROM users)
  GROUP BY owner_id HAVING COUNT(*) > 1 ORDER BY owner_id`

/** Sorts a user's spaces into those that their items allow to be the user's, and others. */
async function sortSpaces(db: Database, userId: number): Promise<{ own: PersonalSpace[]; unclear: PersonalSpace[] }> {
  const sorted: { own: PersonalSpace[]; unclear: PersonalSpace[] } = { own: [], unclear: [] }
  for (const space of await findSpacesOf(db, userId)) {
    const isOwn = (await findItemOwners(db, space.id)).every(({ id }) => id === userId)
    sorted[isOwn ? 'own' : 'unclear'].push(space)
  }
  return sorted
}

/** Joins a user's other spaces with the first, except those whose items say that they may be somebody else's. */
async function checkSecondSpaces(check: Check): Promise<void> {
  const { deps, disputed, report, signal } = check
  const { db } = deps
  for (const { owner_id } of await db.rows<{ owner_id: number }>(severalSpaces)) {
    signal.throwIfAborted()
    const { own, unclear } = await sortSpaces(db, owner_id)
    const [first, ...others] = own.filter(space => !disputed.has(space.id))
    for (const { id, username } of others) {
      const finding = {
        verdict: 'repairable',
        problem: 'space-twice',
        name: `${username}`,
        detail: `the user has another storage beside the first (${id} beside ${first?.id})`,
        space_id: id,
      } as const
      await report(finding, () => joinAgain(check, owner_id, id))
    }
    for (const { id, username } of unclear.filter(space => !disputed.has(space.id))) {
      disputed.add(id)
      const detail = 'its items are of others than its owner, who has another storage, and nobody knows whose it is'
      const name = `space ${id} of '${username}'`
      await report({ verdict: 'lost', problem: 'space-owner', name, detail, space_id: id })
    }
  }
}

export async function checkAccounts(check: Check): Promise<void> {
  await checkSkeletons(check)
  await checkSpaceOwners(check)
  await checkMissingSpaces(check)
  await checkSecondSpaces(check)
  await checkTeamOwners(check)
  await checkTeams(check)
  await checkEveryone(check)
  await checkMembersOfEveryone(check)
  await checkShares(check)
  await checkMarks(check)
  await checkKeyMakers(check)
  await noteUnmanagedTeams(check)
}
