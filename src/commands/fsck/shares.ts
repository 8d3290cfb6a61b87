/**
 * Checks that each share is filed under the space of its item, is somebody's, and has a level that its item can have;
 * and the group of all users.
 */
import type { ShareRow } from '../../db/models/shares.ts'
import { readPages } from '../../db/read-on.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'
import { nameItem } from './names.ts'

interface Share {
  id: number
  item_id: number
  /** The space of the item. */
  space_id: number
}

interface ShareProblem {
  problem: string
  detail: string
  /** Finds Shares `s` with their items `f`. */
  query: string
  columns: readonly string[]
  /** The values that mend a share; null deletes it: nobody knows whose a share of nobody is, so it gives no access. */
  mend: ((share: Share) => Partial<ShareRow>) | null
}

const select = `SELECT s.id, s.item_id, f.space_id FROM shares s JOIN files f ON f.id = s.item_id
  JOIN spaces sp ON sp.id = f.space_id WHERE`
export const shareOfNobody = 'it is for nobody, or for both a user and a group'
/** Only team folders have managers besides their owner, and only folders take uploads (shares/give.ts). */
export const impossibleLevel = 'its level is one that its item cannot have'
/** Who shares the item sees that it has ended, and gives the right level again. */
export const endedShare = { level: 'view', expires_at: 0 } as const

const problems: readonly ShareProblem[] = [
  {
    // The item may be the wrong value, and its owner never have shared it.
    problem: 'share-space',
    detail: 'it is filed under another storage than that of its item, so it may have been of another item, and ends',
    query: `${select} s.space_id <> f.space_id`,
    columns: ['space_id', 'level', 'expires_at'],
    mend: ({ space_id }) => ({ space_id, ...endedShare }),
  },
  {
    problem: 'share-of-nobody',
    detail: shareOfNobody,
    query: `${select} (s.user_id IS NULL) = (s.group_id IS NULL)`,
    columns: ['user_id', 'group_id'],
    mend: null,
  },
  {
    problem: 'share-level',
    detail: impossibleLevel,
    query: `${select} ((s.level = 'manage' AND (sp.kind = 'personal' OR f.parent_id IS NOT NULL))
      OR (s.level = 'upload' AND f.is_directory = 0))`,
    columns: ['level', 'expires_at'],
    mend: () => endedShare,
  },
]

const pageSize = 1000

async function reportShare(check: Check, found: ShareProblem, share: Share): Promise<void> {
  const { disputed, report, signal, unsettled } = check
  const { db } = check.deps
  signal.throwIfAborted()
  // The item may be what is in the wrong space, and its shares tell whose it is.
  if (found.problem === 'share-space' && unsettled.has(share.space_id)) return
  // What a level can be depends on what the space is.
  if (found.problem === 'share-level' && disputed.has(share.space_id)) return
  const read = () => db.row<Share>(`${found.query} AND s.id = $1`, [share.id])
  // The item and its shares move to another space in one write, so look again.
  if ((await read()) === undefined) return
  const finding = {
    verdict: 'repairable',
    problem: found.problem,
    name: `share ${share.id} of ${await nameItem(db, share.item_id)}`,
    detail: found.detail,
    file_id: share.item_id,
    space_id: share.space_id,
  } as const
  await report(finding, () =>
    db.write(systemActor, async record => {
      record.nothing()
      const current = await read()
      if (current === undefined) return false
      if (found.mend === null) await db.change('DELETE FROM shares WHERE id = $1', [current.id])
      else await db.update(db.shares, found.mend(current), current.id)
      record('share.repair', { id: current.item_id }, { columns: found.columns })
      return true
    }),
  )
}

export async function checkShares(check: Check): Promise<void> {
  const { db } = check.deps
  for (const found of problems) {
    const pages = readPages<Share>(db, {
      read: ([after]) => db.rows(`${found.query} AND s.id > $1 ORDER BY s.id LIMIT ${pageSize}`, [Number(after)]),
      keyOf: ({ id }) => [id],
      start: [0],
      size: pageSize,
    })
    for await (const shares of pages) for (const share of shares) await reportShare(check, found, share)
  }
}

/** No call makes such a row (groups/groups.ts): all active users are members without one. */
export const membersOfEveryone = 'it stands for all users, and rows say who its members are'

/** One finding for all rows: there may be as many as users. They give nobody anything, so nothing is lost with them. */
export async function checkMembersOfEveryone({ deps: { db }, report }: Check): Promise<void> {
  const find = () =>
    db.row<{ id: number }>(
      `SELECT g.id FROM group_members m JOIN user_groups g ON g.id = m.group_id
       WHERE g.kind = 'everyone' AND g.name_key = 'everyone' LIMIT 1`,
    )
  if ((await find()) === undefined) return
  const finding = { problem: 'group-members', name: 'group Everyone', detail: membersOfEveryone }
  await report({ ...finding, verdict: 'repairable' }, () =>
    db.write(systemActor, async record => {
      record.nothing()
      const current = await find()
      if (current === undefined) return false
      await db.change('DELETE FROM group_members WHERE group_id = $1', [current.id])
      record('group.repair', { id: current.id }, { name: 'Everyone' })
      return true
    }),
  )
}

const findEveryone = "SELECT id FROM user_groups WHERE name_key = 'everyone'"

/** What was shared with all users is lost with their group; only the group is made again. */
export async function checkEveryone({ deps: { db }, report }: Check): Promise<void> {
  if ((await db.row(findEveryone)) !== undefined) return
  const finding = { problem: 'group', name: 'group Everyone', detail: 'it is missing' }
  await report({ ...finding, verdict: 'repairable' }, () =>
    db.write(systemActor, async record => {
      record.nothing()
      if ((await db.row(findEveryone)) !== undefined) return false
      const id = await db.insert(db.userGroups, { name: 'Everyone', name_key: 'everyone', kind: 'everyone' })
      record('group.repair', { id }, { name: 'Everyone' })
      return true
    }),
  )
}
