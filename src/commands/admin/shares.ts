/** `filestore admin share …`: what is shared on the whole server. */
import { terminalActor } from '../../access/actor.ts'
import { findSharing } from '../../access/sharing-settings.ts'
import type { AccessEntry, Share } from '../../api/shares.ts'
import { AppError } from '../../base/errors.ts'
import { isoTime, maybeIsoTime } from '../../base/iso-time.ts'
import type { Flags } from '../../config-options.ts'
import type { Database } from '../../db/database.ts'
import { reasonOf } from '../../shares/access.ts'
import { findAllGrants, type GrantRow, requireGrant } from '../../shares/find.ts'
import { revokeShare } from '../../shares/give.ts'
import { presentGrantee } from '../../shares/present.ts'
import { withRows } from '../open.ts'
import { findItemPaths } from './item-paths.ts'
import { findNamedGroup, findNamedUser, givenId } from './names.ts'

/** A share as the administrator sees it. */
export interface ListedShare
  extends Pick<Share, 'id' | 'who' | 'level' | 'created_at' | 'expires_at'>,
    Pick<AccessEntry, 'works' | 'reason'> {
  item_id: number
  /** `ann:/Docs`, or `@Choir/Plans` in a team folder; null for an item in the trash. */
  item: string | null
}

async function present(db: Database, grants: readonly GrantRow[]): Promise<ListedShare[]> {
  const [paths, settings] = await Promise.all([findItemPaths(db, idsOf(grants)), findSharing(db)])
  const now = Date.now()
  return grants.map(grant => {
    const reason = reasonOf(grant, settings, now)
    return {
      id: grant.id,
      item_id: grant.item_id,
      item: paths.get(grant.item_id) ?? null,
      who: presentGrantee(grant),
      level: grant.level,
      created_at: isoTime(grant.created_at),
      expires_at: maybeIsoTime(grant.expires_at),
      works: reason === null,
      reason,
    }
  })
}

const idsOf = (grants: readonly GrantRow[]): number[] => grants.map(({ item_id }) => item_id)

interface Filter {
  user?: string
  group?: string
}

/** A test of who has a share. Throws `not_found` for the user or the group. */
async function filterOf(db: Database, { user, group }: Filter): Promise<(grant: GrantRow) => boolean> {
  const userId = user === undefined ? undefined : (await findNamedUser(db, user)).id
  const groupId = group === undefined ? undefined : (await findNamedGroup(db, group)).id
  if (userId === undefined && groupId === undefined) return () => true
  return grant => grant.user_id === userId || grant.group_id === groupId
}

/** Shares read at once. */
const sliceSize = 500

/** Returns all shares, or those with a user or a group, the oldest first. Throws `not_found`. */
export const listShares = (flags: Flags, filter: Filter): Promise<ListedShare[]> =>
  withRows(flags, async ({ db }) => {
    const fits = await filterOf(db, filter)
    const listed: ListedShare[] = []
    for (let after = 0; ; ) {
      const rows = await findAllGrants(db, after, sliceSize)
      listed.push(...(await present(db, rows.filter(fits))))
      const last = rows.at(-1)
      if (last === undefined || rows.length < sliceSize) return listed
      after = last.id
    }
  })

async function findNamedShare(db: Database, text: string): Promise<GrantRow> {
  const id = givenId(text) ?? (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)
  if (id === undefined) throw new AppError('invalid_input', `'${text}' is not the id of a share`)
  return requireGrant(db, id)
}

/** Returns the share that `removeShare` would end. Throws `not_found` and `invalid_input`. */
export const showShare = (flags: Flags, name: string): Promise<ListedShare> =>
  withRows(flags, async ({ db }) => firstOf(await present(db, [await findNamedShare(db, name)])))

/** Ends a share. Returns it. Throws `not_found`, `invalid_input`, and `protected` for a team's last manager. */
export const removeShare = (flags: Flags, name: string): Promise<ListedShare> =>
  withRows(flags, async ({ db }) => {
    const grant = await findNamedShare(db, name)
    const share = firstOf(await present(db, [grant]))
    await revokeShare(db, terminalActor, grant.id)
    return share
  })

const firstOf = ([share]: readonly ListedShare[]): ListedShare => share as ListedShare
