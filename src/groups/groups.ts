/** Creates, changes and deletes groups of users. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { refuseEmpowering } from '../access/refuse.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type {
  createGroup as createEndpoint,
  deleteGroup as deleteEndpoint,
  updateGroup as updateEndpoint,
} from '../api/groups.ts'
import { maxGroupMembers, maxGroups } from '../api/limits.ts'
import { AppError, invalidField, nameTaken, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { Recorder } from '../db/recorder.ts'
import { userKey } from '../db/user-key.ts'
import { isOneOf, valuesAtOnce } from '../db/values.ts'
import { keepManagers } from '../spaces/managers.ts'
import { type CountedGroupRow, findGroup, findGroups, findMembers, isNameTaken } from './find.ts'

async function refuseTaken(db: Database, name: string, ownId?: number): Promise<void> {
  if (await isNameTaken(db, userKey(name), ownId)) throw nameTaken(name)
}

/** A group that people made. Throws `not_found`, and `protected` for that of everyone. */
async function findListed(db: Database, id: number): Promise<CountedGroupRow> {
  const group = await findGroup(db, id)
  if (group.kind === 'everyone') throw new AppError('protected', 'The group of all users cannot be changed')
  return group
}

/** Throws `not_found` unless all the users exist. */
async function requireUsers(db: Database, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += valuesAtOnce) {
    const slice = ids.slice(start, start + valuesAtOnce)
    const rows = await db.rows(`SELECT u.id FROM users u WHERE ${isOneOf('u.id', slice)}`, slice)
    if (rows.length < slice.length) throw notFound('User')
  }
}

const addMembers = (db: Database, group_id: number, ids: readonly number[]): Promise<void> =>
  db.insertAll(
    db.groupMembers,
    ids.map(user_id => ({ user_id, group_id, created_at: Date.now() })),
  )

/**
 * Locks the spaces in which something is shared with a group, before it loses members: whoever writes there by that
 * share finishes first, or sees that it has ended.
 */
async function lockSharedSpaces(db: Database, groupId: number): Promise<void> {
  const query = 'SELECT DISTINCT space_id FROM shares WHERE group_id = $1 ORDER BY space_id'
  for (const { space_id } of await db.rows<{ space_id: number }>(query, [groupId])) await lockSpace(db, space_id)
}

/** Creates a group and returns its id. Throws `name_taken`, `not_found` for a user, and `invalid_input`. */
export function createGroup(
  db: Database,
  actor: Principal,
  { name, member_ids = [] }: ParsedInputOf<typeof createEndpoint>,
): Promise<number> {
  return confirmedWrite(db, actor, async record => {
    const members = [...new Set(member_ids)]
    if (members.length > 0) refuseEmpowering(actor)
    await requireUsers(db, members)
    await refuseTaken(db, name)
    if ((await findGroups(db)).length >= maxGroups) {
      throw invalidField('name', `There are ${maxGroups} groups, and more there cannot be: delete one first`)
    }
    const id = await db.insert(db.userGroups, { name, name_key: userKey(name), kind: 'listed' })
    await addMembers(db, id, members)
    record('group.create', { id }, { name, members: members.length })
    return id
  })
}

/**
 * Adds and removes members inside a write; returns the usernames for the event. Throws as `keepManagers`, and
 * `forbidden`.
 */
async function changeMembers(
  db: Database,
  actor: Principal,
  group: CountedGroupRow,
  added: readonly number[],
  removed: readonly number[],
) {
  if (added.length > 0) refuseEmpowering(actor)
  await requireUsers(db, added)
  if (group.member_count + added.length - removed.length > maxGroupMembers) {
    throw invalidField('member_ids', `At most ${maxGroupMembers} members`)
  }
  const names = async (ids: readonly number[]) =>
    (
      await db.rows<{ username: string }>(
        `SELECT u.username FROM users u WHERE ${isOneOf('u.id', ids)} ORDER BY u.username_key`,
        ids,
      )
    ).map(({ username }) => username)
  const told = { added: await names(added), removed: await names(removed) }
  if (removed.length > 0) await lockSharedSpaces(db, group.id)
  await keepManagers(db, group.id, async () => {
    await db.change(`DELETE FROM group_members WHERE group_id = $1 AND ${isOneOf('user_id', removed, 2)}`, [
      group.id,
      ...removed,
    ])
    await addMembers(db, group.id, added)
  })
  return told
}

/** Records a change of members; nothing if there was none. */
function recordMembers(record: Recorder, { id, name }: CountedGroupRow, told: { added: string[]; removed: string[] }) {
  const { added, removed } = told
  if (added.length + removed.length === 0) return record.nothing()
  record(
    'group.update',
    { id },
    { name, ...(added.length > 0 ? { added } : {}), ...(removed.length > 0 ? { removed } : {}) },
  )
}

/** Changes name and members. Throws as `createGroup`, `not_found` and `protected`. */
export function updateGroup(
  db: Database,
  actor: Principal,
  { id, name, member_ids }: ParsedInputOf<typeof updateEndpoint>,
): Promise<void> {
  return confirmedWrite(db, actor, async record => {
    record.nothing()
    const group = await findListed(db, id)
    if (name !== undefined && name !== group.name) {
      await refuseTaken(db, name, id)
      await db.update(db.userGroups, { name, name_key: userKey(name) }, id)
      record('group.update', { id }, { name, from: group.name })
    }
    if (member_ids === undefined) return
    const before = (await findMembers(db, id)).map(person => person.id)
    const added = [...new Set(member_ids)].filter(user => !before.includes(user))
    const removed = before.filter(user => !member_ids.includes(user))
    recordMembers(record, { ...group, name: name ?? group.name }, await changeMembers(db, actor, group, added, removed))
  })
}

/** Adds a user to a group, or takes one out; does nothing if that is so already. Throws `not_found`, `protected`. */
export function setMember(
  db: Database,
  actor: Principal,
  { id, user_id }: { id: number; user_id: number },
  isMember: boolean,
): Promise<void> {
  return confirmedWrite(db, actor, async record => {
    const group = await findListed(db, id)
    await requireUsers(db, [user_id])
    const row = await db.row('SELECT user_id FROM group_members WHERE group_id = $1 AND user_id = $2', [id, user_id])
    if ((row !== undefined) === isMember) return record.nothing()
    const [added, removed] = isMember ? [[user_id], []] : [[], [user_id]]
    recordMembers(record, group, await changeMembers(db, actor, group, added, removed))
  })
}

/** Deletes a group, and with `shares: 'delete'` what is shared with it. Throws `not_found`, `protected`, `in_use`. */
export function deleteGroup(
  db: Database,
  actor: Principal,
  { id, shares }: ParsedInputOf<typeof deleteEndpoint>,
): Promise<void> {
  return confirmedWrite(db, actor, async record => {
    const group = await findListed(db, id)
    await lockSharedSpaces(db, id)
    const used = await db.rows<{ space_id: number }>('SELECT DISTINCT space_id FROM shares WHERE group_id = $1', [id])
    if (used.length > 0 && shares === undefined) {
      throw new AppError('in_use', 'Something is shared with this group')
    }
    await keepManagers(db, id, () => db.change('DELETE FROM user_groups WHERE id = $1', [id]))
    for (const { space_id } of used) record.slice(space_id)
    record('group.delete', { id }, { name: group.name, shares })
  })
}
