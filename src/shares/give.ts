/** Gives users and groups access to items, changes it and ends it. */
import type { Actor, Principal } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { beginningOf, hasEnded } from '../access/beginning.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { mayCall } from '../access/policy.ts'
import { refuseOutlasting } from '../access/refuse.ts'
import { findSharing } from '../access/sharing-settings.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { maxSharesPerItem, maxSharesPerSpace } from '../api/limits.ts'
import type { ShareLevel } from '../api/share-levels.ts'
import type { createShare as createEndpoint, updateShare as updateEndpoint } from '../api/shares.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import { isoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { ShareRow } from '../db/models/shares.ts'
import type { Recorder } from '../db/recorder.ts'
import { type Found, findAny, findItem, notAllowedHere } from '../files/find.ts'
import type { DetailsRow, ItemRow } from '../files/item-row.ts'
import { lockSpaceOf } from '../files/lock-spaces.ts'
import { findGroup, findGroupByName } from '../groups/find.ts'
import { requireManager } from '../spaces/managers.ts'
import { findUserIds, requireIdsAllowed } from '../spaces/named.ts'
import { countGrantsIn, findGrantsOf, findGrantTo, findSharedItem, type GrantRow, requireGrant } from './find.ts'
import { presentGrantee } from './present.ts'

type ShareInput = ParsedInputOf<typeof createEndpoint>

/** A grant and the item that it is about. */
interface Given {
  grant: GrantRow
  item: ItemRow
}

const isTeamRoot = ({ space_kind }: Pick<GrantRow, 'space_kind'>, { parent_id }: ItemRow): boolean =>
  space_kind === 'team' && parent_id === null

/** Throws `invalid_input` for a level that the item cannot have. */
function refuseLevel(space: Pick<GrantRow, 'space_kind'>, item: ItemRow, level: ShareLevel): void {
  if (level === 'manage' && !isTeamRoot(space, item)) {
    throw invalidField('level', 'Only team folders have managers besides their owner')
  }
  if (level === 'upload' && item.is_directory === 0) throw invalidField('level', 'Only folders take uploads')
}

interface SpaceOf {
  space_kind: 'personal' | 'team'
  owner_id: number
}

async function findSpace(db: Database, id: number): Promise<SpaceOf> {
  const row = await db.row<SpaceOf>('SELECT kind AS space_kind, owner_id FROM spaces WHERE id = $1', [id])
  if (row === undefined) throw notFound('File')
  return row
}

/** To whom something is given. */
type GranteeId = { user_id: number; group_id?: undefined } | { user_id?: undefined; group_id: number }

/** The ids of whom a call names. Throws `not_found`, and `invalid_input` for ids that would tell who there is. */
async function findGrantee(db: Database, actor: Actor, input: ShareInput): Promise<GranteeId> {
  const { user_id, username, group_id, group_name } = input
  if ([user_id, username, group_id, group_name].filter(one => one !== undefined).length !== 1) {
    throw invalidField('user_id', 'Expected one of user_id, username, group_id and group_name')
  }
  if (user_id !== undefined) await requireIdsAllowed(db, actor, 'user_id')
  if (group_id !== undefined) await requireIdsAllowed(db, actor, 'group_id')
  if (group_name !== undefined) return { group_id: (await findGroupByName(db, group_name)).id }
  if (group_id !== undefined) return { group_id }
  const [named] = username === undefined ? [] : await findUserIds(db, [username])
  return { user_id: user_id ?? named ?? 0 }
}

/** Throws `not_found` for an unknown or disabled user or group, and `invalid_input` for who has access already. */
async function requireGrantee(
  db: Database,
  actor: Actor,
  space: SpaceOf,
  { user_id, group_id }: GranteeId,
): Promise<void> {
  if (user_id === undefined) {
    const { everyone } = await findSharing(db)
    const group = await findGroup(db, group_id)
    if (group.kind === 'everyone' && !everyone) throw notFound('Group')
    return
  }
  const user = await db.row('SELECT u.id FROM users u WHERE u.is_active = 1 AND u.id = $1', [user_id])
  if (user === undefined) throw notFound('User')
  const isOwner = space.space_kind === 'personal' && space.owner_id === user_id
  if (user_id === actor.userId || isOwner) throw invalidField('user_id', 'This user has access already')
}

const detailOf = ({ grant, item }: Given) => {
  const { kind, name } = presentGrantee(grant)
  return {
    name: item.name,
    who: kind === 'group' ? `@${name}` : name,
    level: grant.level,
    ...(grant.expires_at === null ? {} : { expires_at: isoTime(grant.expires_at) }),
  }
}

const placeOf = ({ id, space_id }: ItemRow) => ({ id, spaceId: space_id })

/** Changes the level and the end of a grant inside a write; undefined stays. Throws `protected` and `forbidden`. */
async function change(
  db: Database,
  record: Recorder,
  actor: Actor,
  { grant, item }: Given,
  terms: Partial<Pick<ShareRow, 'level' | 'expires_at'>>,
): Promise<void> {
  const changed = { ...grant, level: terms.level ?? grant.level, expires_at: terms.expires_at ?? grant.expires_at }
  if (terms.expires_at === null) changed.expires_at = null
  if (changed.level === grant.level && changed.expires_at === grant.expires_at) return record.nothing()
  refuseOutlasting(actor, changed.expires_at)
  const created_at = beginningOf(grant, changed)
  await db.update(db.shares, { level: changed.level, expires_at: changed.expires_at, created_at }, grant.id)
  if (grant.level === 'manage') await requireManager(db, item.id)
  const from = changed.level === grant.level ? {} : { from: grant.level }
  record('share.update', placeOf(item), { ...detailOf({ grant: changed, item }), ...from })
}

async function add(
  db: Database,
  record: Recorder,
  actor: Actor,
  item: ItemRow,
  grantee: GranteeId,
  input: ShareInput,
): Promise<number> {
  if ((await findGrantsOf(db, [item.id])).length >= maxSharesPerItem) {
    throw invalidField('item_id', `An item can be shared with at most ${maxSharesPerItem} users and groups`)
  }
  if ((await countGrantsIn(db, item.space_id)) >= maxSharesPerSpace) {
    throw invalidField(
      'item_id',
      `There are ${maxSharesPerSpace.toLocaleString('en')} shares here already; end some of them`,
    )
  }
  const expires_at = toTime(input.expires_at) ?? null
  refuseOutlasting(actor, expires_at)
  const id = await db.insert(db.shares, {
    space_id: item.space_id,
    item_id: item.id,
    user_id: grantee.user_id ?? null,
    group_id: grantee.group_id ?? null,
    level: input.level,
    created_by: actor.userId,
    created_at: Date.now(),
    expires_at,
  })
  record('share.create', placeOf(item), detailOf({ grant: await requireGrant(db, id), item }))
  return id
}

/** The end of a share in ms. Throws `invalid_input` for a time that is over. */
function toTime(text: string | null | undefined): number | null | undefined {
  if (typeof text !== 'string') return text
  const time = Date.parse(text)
  if (time <= Date.now()) throw invalidField('expires_at', 'Expected a time to come')
  return time
}

/**
 * Gives a user or a group access to an item; who has it already gets the new level. Throws `not_found` for the item, the
 * user or the group, `forbidden`, `invalid_input`, and `protected` for the last manager of a team folder.
 */
export function createShare(db: Database, actor: Actor, input: ShareInput): Promise<{ id: number; isNew: boolean }> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, input.item_id)
    const item = await findItem(db, actor, input.item_id, 'manage')
    const space = await findSpace(db, item.space_id)
    if (space.space_kind === 'personal' && !(await findSharing(db)).people) {
      throw new AppError('forbidden', 'Sharing with people is turned off')
    }
    refuseLevel(space, item, input.level)
    const grantee = await findGrantee(db, actor, input)
    await requireGrantee(db, actor, space, grantee)
    const grant = await findGrantTo(db, item.id, grantee)
    if (grant === undefined) return { id: await add(db, record, actor, item, grantee, input), isNew: true }
    // Given again without an end, a share that has ended works again; one that works keeps its end.
    const expires_at = input.expires_at === undefined && hasEnded(grant) ? null : toTime(input.expires_at)
    await change(db, record, actor, { grant, item }, { level: input.level, expires_at })
    return { id: grant.id, isNew: false }
  })
}

/** A share on an item that the actor sees. Throws `not_found`. */
async function findGiven(
  db: Database,
  actor: Actor,
  id: number,
): Promise<{ grant: GrantRow; item: Found<DetailsRow> }> {
  const grant = await requireGrant(db, id)
  const item = await findAny(db, actor, grant.item_id, 'see').catch(error => {
    throw error instanceof AppError && error.code === 'not_found' ? notFound('Share') : error
  })
  return { grant, item }
}

/** Changes the level or the end of a share. Throws `not_found`, `forbidden`, `invalid_input` and `protected`. */
export function updateShare(db: Database, actor: Actor, input: ParsedInputOf<typeof updateEndpoint>): Promise<void> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, (await requireGrant(db, input.id)).item_id)
    const { grant, item } = await findGiven(db, actor, input.id)
    if (!item.standing.here.manage) throw notAllowedHere()
    if (input.level !== undefined) refuseLevel(grant, item, input.level)
    await change(db, record, actor, { grant, item }, { level: input.level, expires_at: toTime(input.expires_at) })
  })
}

/** A share that the actor may end: one to themselves, or on an item that they manage. Throws as `deleteShare`. */
async function findEndable(db: Database, actor: Actor, id: number): Promise<Given> {
  const { user_id } = await requireGrant(db, id)
  if (user_id === actor.userId && mayCall(actor, 'files:read')) {
    return { grant: await requireGrant(db, id), item: await findSharedItem(db, id) }
  }
  const { grant, item } = await findGiven(db, actor, id)
  if (!item.standing.here.manage || !mayCall(actor, 'files:share')) throw notAllowedHere()
  return { grant, item }
}

/** Ends a share, also one's own. Throws `not_found`, `forbidden`, and `protected` for a team's last manager. */
export function deleteShare(db: Database, actor: Actor, id: number): Promise<void> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, (await requireGrant(db, id)).item_id)
    await end(db, record, await findEndable(db, actor, id))
  })
}

async function end(db: Database, record: Recorder, given: Given): Promise<void> {
  await db.change('DELETE FROM shares WHERE id = $1', [given.grant.id])
  if (given.grant.level === 'manage') await requireManager(db, given.item.id)
  record('share.delete', placeOf(given.item), detailOf(given))
}

/** Ends any share, for the person at the server's own terminal. Throws `not_found`, and `protected` as deleteShare. */
export function revokeShare(db: Database, actor: Principal, id: number): Promise<void> {
  return confirmedWrite(db, actor, async record => {
    await lockSpace(db, (await requireGrant(db, id)).space_id)
    await end(db, record, { grant: await requireGrant(db, id), item: await findSharedItem(db, id) })
  })
}
