/** Checks that each user has one storage space, and what users own: tags and metadata on their files, and API keys. */
import { defaultStorageQuota } from '../../api/limits.ts'
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import { type Recorder, systemActor } from '../../db/write.ts'
import { findFreeName } from '../../files/free-name.ts'
import { nameColumns } from '../../files/item-name.ts'
import type { Check } from './finding.ts'
import { checkKeyMakers } from './key-makers.ts'
import { checkMarks } from './marks.ts'
import { checkEveryone, checkMembersOfEveryone, checkShares } from './shares.ts'
import { checkSkeletons } from './skeletons.ts'
import { checkTeams, noteUnmanagedTeams } from './teams.ts'

interface User {
  id: number
  username: string
}

const withoutSpace = `SELECT u.id, u.username FROM users u
  WHERE NOT EXISTS (SELECT 1 FROM spaces s WHERE s.owner_id = u.id AND s.kind = 'personal')`

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

async function checkMissingSpaces({ deps: { db }, report }: Check): Promise<void> {
  for (const user of await db.rows<User>(`${withoutSpace} ORDER BY u.id`)) {
    // A user and the space are created in one write, and deleted in one, so look again before reporting.
    if ((await db.row(`${withoutSpace} AND u.id = $1`, [user.id])) === undefined) continue
    const detail = 'the user has no storage, and so cannot sign in'
    await report({ verdict: 'repairable', problem: 'space-missing', name: user.username, detail }, () =>
      addSpace(db, user),
    )
  }
}

/** A surplus space of a user, and the user's oldest. */
interface SecondSpace {
  id: number
  first: number
  owner_id: number
  username: string
}

const secondSpaces = `SELECT s.id, o.first, s.owner_id, u.username FROM spaces s JOIN users u ON u.id = s.owner_id
  JOIN (SELECT owner_id, MIN(id) AS first FROM spaces WHERE kind = 'personal' GROUP BY owner_id HAVING COUNT(*) > 1) o
    ON o.owner_id = s.owner_id
  WHERE s.kind = 'personal' AND s.id > o.first`

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

async function checkSecondSpaces({ deps: { db }, report }: Check): Promise<void> {
  for (const space of await db.rows<SecondSpace>(`${secondSpaces} ORDER BY s.id`)) {
    const finding = {
      verdict: 'repairable',
      problem: 'space-twice',
      name: space.username,
      detail: `the user has another storage beside the first (${space.id} beside ${space.first})`,
      space_id: space.id,
    } as const
    await report(finding, () =>
      db.write(systemActor, async record => {
        record.nothing()
        for (const id of [space.first, space.id]) await lockSpace(db, id)
        const current = await db.row<SecondSpace>(`${secondSpaces} AND s.id = $1`, [space.id])
        if (current === undefined) return false
        await joinSpaces(db, current, record)
        return true
      }),
    )
  }
}

export async function checkAccounts(check: Check): Promise<void> {
  await checkSkeletons(check)
  await checkMissingSpaces(check)
  await checkSecondSpaces(check)
  await checkTeams(check)
  await checkEveryone(check)
  await checkMembersOfEveryone(check)
  await checkShares(check)
  await checkMarks(check)
  await checkKeyMakers(check)
  await noteUnmanagedTeams(check)
}
