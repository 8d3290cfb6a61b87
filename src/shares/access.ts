/** Lists by what somebody reaches an item: as the owner of the space, or by shares on it and on the folders above. */
import type { Actor } from '../access/actor.ts'
import { findReasons } from '../access/link-account.ts'
import { findLinks, type LinkAccount } from '../access/link-rows.ts'
import { findSharing } from '../access/sharing-settings.ts'
import { linkSees } from '../api/link-levels.ts'
import type { AccessEntry } from '../api/shares.ts'
import type { SharingSettings } from '../api/sharing-settings.ts'
import { maybeIsoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import { isOneOf } from '../db/values.ts'
import { findItem } from '../files/find.ts'
import type { ItemRow } from '../files/item-row.ts'
import { findFoldersAbove } from '../files/paths.ts'
import { findGrantsOf, type GrantRow } from './find.ts'
import { presentGrantee } from './present.ts'

/** Why a grant is without effect now; null if it has effect. */
export function reasonOf(grant: GrantRow, settings: SharingSettings, now: number): AccessEntry['reason'] {
  if (grant.expires_at !== null && grant.expires_at <= now) return 'expired'
  if (grant.user_is_active === 0) return 'disabled'
  const isOff = grant.space_kind === 'personal' && !settings.people
  return isOff || (grant.group_kind === 'everyone' && !settings.everyone) ? 'off' : null
}

/** Whether a grant reaches the item: one to upload reaches the very folder and the files right in it. */
const reaches = ({ level, item_id }: GrantRow, { id, parent_id, is_directory }: ItemRow): boolean =>
  level !== 'upload' || item_id === id || (item_id === parent_id && is_directory === 0)

interface OwnerRow {
  id: number
  username: string
  full_name: string | null
}

async function findOwner(db: Database, spaceId: number): Promise<OwnerRow | undefined> {
  return db.row<OwnerRow>(
    `SELECT u.id, u.username, u.full_name FROM spaces sp JOIN users u ON u.id = sp.owner_id
     WHERE sp.id = $1 AND sp.kind = 'personal'`,
    [spaceId],
  )
}

/** Each has up to a hundred links. */
const itemsAtOnce = 10

/**
 * The links that reach an item, by the names of the items that they are on. One to upload reaches its very folder. There
 * may be thousands, so they are read and judged in slices, of which only the entries are kept.
 */
async function listLinkAccess(
  db: Database,
  item: ItemRow,
  names: ReadonlyMap<number, string>,
  settings: SharingSettings,
): Promise<AccessEntry[]> {
  const itemIds = [...names.keys()]
  const entries: { id: number; entry: AccessEntry }[] = []
  for (let start = 0; start < itemIds.length; start += itemsAtOnce) {
    const slice = itemIds.slice(start, start + itemsAtOnce)
    const all = await findLinks(db, isOneOf('l.item_id', slice), slice)
    const links = all.filter(({ level, item_id }) => linkSees(level) || item_id === item.id)
    const reasons = await findReasons(db, links, settings)
    for (const link of links) {
      entries.push({ id: link.id, entry: linkEntry(link, names.get(link.item_id) ?? '', reasons.get(link) ?? null) })
    }
  }
  return entries.sort((a, b) => a.id - b.id).map(({ entry }) => entry)
}

const linkEntry = (link: LinkAccount, itemName: string, reason: AccessEntry['reason']): AccessEntry => ({
  share_id: null,
  link_id: link.id,
  who: { kind: 'link', id: link.id, name: link.label ?? '', full_name: null },
  level: link.level,
  because: { id: link.item_id, name: itemName },
  expires_at: maybeIsoTime(link.expires_at),
  works: reason === null,
  reason,
})

/** All ways by which somebody reaches an item. Throws `not_found`, and `forbidden` unless the actor manages it. */
export async function listAccess(db: Database, actor: Actor, id: number): Promise<AccessEntry[]> {
  const item = await findItem(db, actor, id, 'manage')
  const above = item.parent_id === null ? [] : await findFoldersAbove(db, item.parent_id)
  const names = new Map([...above, item].map(one => [one.id, one.name]))
  const settings = await findSharing(db)
  const [grants, owner, links] = await Promise.all([
    findGrantsOf(db, [...names.keys()]),
    findOwner(db, item.space_id),
    listLinkAccess(db, item, names, settings),
  ])
  const now = Date.now()
  const entries = grants
    .filter(grant => reaches(grant, item))
    .map((grant): AccessEntry => {
      const reason = reasonOf(grant, settings, now)
      return {
        share_id: grant.id,
        link_id: null,
        who: presentGrantee(grant),
        level: grant.level,
        because: { id: grant.item_id, name: names.get(grant.item_id) ?? '' },
        expires_at: maybeIsoTime(grant.expires_at),
        works: reason === null,
        reason,
      }
    })
  return [...(owner === undefined ? [] : [ownerEntry(owner, item)]), ...entries, ...links]
}

const ownerEntry = ({ id, username, full_name }: OwnerRow, item: ItemRow): AccessEntry => ({
  share_id: null,
  link_id: null,
  who: { kind: 'owner', id, name: username, full_name },
  level: 'manage',
  because: { id: item.id, name: item.name },
  expires_at: null,
  works: true,
  reason: null,
})
