/** Makes links. */
import type { Actor, Principal } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { hashToken, newLinkToken } from '../access/link-account.ts'
import { callerOf } from '../access/network.ts'
import { refuseLevel, refuseOutlasting } from '../access/refuse.ts'
import { findSharing } from '../access/sharing-settings.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { maxLinksPerItem, maxLinksPerSpace } from '../api/limits.ts'
import { type LinkLevel, linkAdds } from '../api/link-levels.ts'
import type { createLink as endpoint } from '../api/links.ts'
import type { SharingSettings } from '../api/sharing-settings.ts'
import { day } from '../base/clock.ts'
import { AppError, invalidField } from '../base/errors.ts'
import { isoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import { toFlag } from '../db/models/columns.ts'
import type { LinkRow } from '../db/models/links.ts'
import type { Deps } from '../deps.ts'
import type { ItemRow } from '../files/item-row.ts'
import { lockSpaceOf } from '../files/lock-spaces.ts'
import { countLinksIn, findLinkable, findLinksOf } from './find.ts'

type CreateInput = ParsedInputOf<typeof endpoint>

/** The hash of a link's new password; null for none. */
export const hashPassword = async (
  { passwords }: Pick<Deps, 'passwords'>,
  { username, address }: Principal,
  password: string | null | undefined,
): Promise<string | null> =>
  password === null || password === undefined ? null : passwords.hash(password, callerOf(username, address))

/** The terms of a link that the rules and its item decide about; undefined ones stay as they are. */
interface Terms {
  level?: LinkLevel | undefined
  hasPassword?: boolean | undefined
  expiresAt?: number | null | undefined
  createdAt: number
}

/** Throws `invalid_input` for terms that the item cannot have, or that are against the rules in force. */
export function refuseTerms(
  { level, hasPassword, expiresAt, createdAt }: Terms,
  item: Pick<ItemRow, 'is_directory'>,
  rules: SharingSettings,
): void {
  if (level !== undefined && linkAdds(level)) {
    if (item.is_directory === 0) throw invalidField('level', 'Only folders take uploads')
    if (!rules.link_uploads) throw invalidField('level', 'Uploads by link are turned off')
  }
  if (hasPassword === false && rules.link_password_required) throw invalidField('password', 'Links need a password')
  if (expiresAt === undefined) return
  if (expiresAt !== null && expiresAt <= Date.now()) throw invalidField('expires_at', 'Expected a time to come')
  const { link_max_days: days } = rules
  if (days > 0 && (expiresAt === null || expiresAt > createdAt + days * day)) {
    throw invalidField('expires_at', `A link ends within ${days} ${days === 1 ? 'day' : 'days'} after it was made`)
  }
}

/** The end of a link in ms; null for none. */
export const toTime = (text: string | null): number | null => (text === null ? null : Date.parse(text))

/** What the audit log tells of a link. */
export const detailOf = (name: string, link: Pick<LinkRow, 'label' | 'level' | 'expires_at'>) => ({
  name,
  level: link.level,
  ...(link.label === null ? {} : { label: link.label }),
  ...(link.expires_at === null ? {} : { expires_at: isoTime(link.expires_at) }),
})

async function refuseTooMany(db: Database, item: ItemRow): Promise<void> {
  if ((await findLinksOf(db, item.id)).length >= maxLinksPerItem) {
    throw invalidField('item_id', `An item can have at most ${maxLinksPerItem} links`)
  }
  if ((await countLinksIn(db, item.space_id)) >= maxLinksPerSpace) {
    throw invalidField('item_id', `There are ${maxLinksPerSpace.toLocaleString('en')} links here already; end some`)
  }
}

/**
 * Makes a link; returns its id. Throws `not_found`, `forbidden`, also where links are turned off, and `invalid_input`
 * for terms that the rules do not allow.
 */
export async function createLink(
  deps: Pick<Deps, 'db' | 'seal' | 'passwords'>,
  actor: Actor,
  input: CreateInput,
): Promise<number> {
  const { db } = deps
  const { close } = await deps.seal()
  const password_hash = await hashPassword(deps, actor, input.password)
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, input.item_id)
    const item = await findLinkable(db, actor, input.item_id)
    const rules = await findSharing(db)
    if (!rules.links) throw new AppError('forbidden', 'Links are turned off')
    const createdAt = Date.now()
    const expiresAt = toTime(input.expires_at ?? null)
    refuseTerms({ level: input.level, hasPassword: password_hash !== null, expiresAt, createdAt }, item, rules)
    refuseOutlasting(actor, expiresAt)
    refuseLevel(actor, input.level)
    await refuseTooMany(db, item)
    const token = newLinkToken()
    const row = {
      space_id: item.space_id,
      item_id: item.id,
      token_hash: hashToken(token),
      // The seal is bound to the link's id, which the database gives.
      token_sealed: '',
      level: input.level,
      label: input.label ?? null,
      password_hash,
      created_by: actor.userId,
      created_at: createdAt,
      expires_at: expiresAt,
      max_downloads: input.max_downloads ?? null,
      max_bytes: input.max_bytes ?? null,
      ask_name: toFlag(input.ask_name ?? false),
      is_active: 1 as const,
      opened: 0,
      downloads: 0,
      uploads: 0,
      bytes_in: 0,
      last_used_at: null,
    }
    const id = await db.insert(db.links, row)
    await db.update(db.links, { token_sealed: close('link', id, token) }, id)
    record('link.create', { id: item.id, spaceId: item.space_id }, detailOf(item.name, row))
    return id
  })
}
