/** Reads links for requests: by token or id, with what they are on and who answers for them, and why one does not work. */
import { createHash, randomBytes } from 'node:crypto'
import { linkAdds, linkSees } from '../api/link-levels.ts'
import type { LinkReason } from '../api/links.ts'
import type { Permission } from '../api/permissions.ts'
import type { SharingSettings } from '../api/sharing-settings.ts'
import { day } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { groupBy } from '../base/group-by.ts'
import type { Database } from '../db/database.ts'
import type { LinkRow } from '../db/models/links.ts'
import type { Principal, Visitor } from './actor.ts'
import { findLinkBy, type LinkAccount, makerIdOf } from './link-rows.ts'
import { isLive, mayGiveLevel, mayLink } from './policy.ts'
import { findStanding, findStandings } from './reach.ts'
import { permissionsOf } from './sessions.ts'
import { findSharing } from './sharing-settings.ts'
import type { Standing } from './standing.ts'

/** A new token: 128 random bits, 22 characters. */
export const newLinkToken = (): string => randomBytes(16).toString('base64url')

/** Whether a text has the form of a token. */
export const isLinkToken = (text: string): boolean => /^[\w-]{22}$/.test(text)

/** The hash by which a token is found, hex. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export const findLinkById = (db: Database, id: number): Promise<LinkAccount | undefined> => findLinkBy(db, 'id', id)

/** The link of a token. */
export const findLinkByToken = (db: Database, token: string): Promise<LinkAccount | undefined> => {
  const hash = hashToken(token)
  return db.cached(`link ${hash}`, () => findLinkBy(db, 'token_hash', hash))
}

const linkPermission: Permission = 'files:link'

/** The user who answers for a link, as somebody who could make it now; null if they could not for their account's sake. */
function makerOf(link: LinkAccount): Principal | null {
  const { maker_id, maker_name, maker_is_active, maker_space_id, maker_permissions } = link
  if (maker_id === null || maker_name === null || maker_space_id === null || maker_is_active !== 1) return null
  const permissions = new Set(permissionsOf({ role_permissions: maker_permissions }))
  if (!permissions.has(linkPermission)) return null
  const root = { spaceId: maker_space_id, folderId: null }
  return {
    userId: maker_id,
    username: maker_name,
    root,
    permissions,
    sessionId: null,
    key: null,
    link: null,
    address: null,
  }
}

/** What a link is on, as far as its place decides who may do what there. */
export const linkedItem = (link: LinkAccount) => ({
  id: link.item_id,
  space_id: link.item_space_id,
  is_directory: link.is_directory,
})

/** Whether who answers for a link could still make it, with this standing at its item. */
const isStillAllowed = (link: LinkAccount, maker: Principal | null, standing: Standing | null): boolean =>
  maker !== null && standing !== null && mayGiveLevel(maker, link.level) && mayLink(standing, link)

/** Whether a link keeps to the rules in force for all links. */
function keepsRules({ password_hash, created_at, expires_at }: LinkRow, rules: SharingSettings): boolean {
  if (rules.link_password_required && password_hash === null) return false
  if (rules.link_max_days === 0) return true
  return expires_at !== null && expires_at <= created_at + rules.link_max_days * day
}

const isUsedUp = ({ downloads, max_downloads }: LinkRow): boolean =>
  max_downloads !== null && downloads >= max_downloads

/** Why a link does not work now; null if it works. */
function reasonOf(link: LinkAccount, settings: SharingSettings, isAllowed: boolean): LinkReason | null {
  if (!settings.links || (link.level === 'upload' && !settings.link_uploads)) return 'off'
  if (link.is_active === 0) return 'paused'
  if (!isLive(link) || (link.is_directory === 0 && link.validation_status !== 'approved')) return 'item'
  if (!isAllowed) return 'maker'
  if (!keepsRules(link, settings)) return 'rules'
  if (link.expires_at !== null && link.expires_at <= Date.now()) return 'expired'
  return isUsedUp(link) ? 'used_up' : null
}

/** The same for each of some links: those that one user answers for take one look-up together. */
export async function findReasons(
  db: Database,
  links: readonly LinkAccount[],
  settings: SharingSettings,
): Promise<ReadonlyMap<LinkAccount, LinkReason | null>> {
  const reasons = new Map<LinkAccount, LinkReason | null>()
  for (const some of groupBy(links, ({ maker_id }) => maker_id).values()) {
    const [first] = some
    const maker = first === undefined ? null : makerOf(first)
    const items = new Map(some.map(link => [link.item_id, linkedItem(link)]))
    const standings = maker === null ? new Map() : await findStandings(db, maker, [...items.values()])
    for (const link of some) {
      const isAllowed = isStillAllowed(link, maker, standings.get(link.item_id) ?? null)
      reasons.set(link, reasonOf(link, settings, isAllowed))
    }
  }
  return reasons
}

const deadWords: Partial<Record<LinkReason, string>> = {
  expired: 'This link has expired',
  used_up: 'This link has been used up',
}

/** The error for a link that is unknown, or does not work for some reason; only two of the reasons are told. */
export const deadLink = (reason?: LinkReason): AppError =>
  new AppError('not_found', (reason && deadWords[reason]) ?? 'This link does not work (any more)')

/** What a link's visitors may do: of what its level says, what the settings let happen. */
const levelOf = ({ level }: LinkRow, { link_uploads }: SharingSettings): LinkRow['level'] =>
  level === 'both' && !link_uploads ? 'view' : level

/** Where a visitor comes from. */
type Origin = Pick<Visitor, 'address' | 'visitHash'>

/** The visitor by a link that works. */
function visitorOf(link: LinkAccount, settings: SharingSettings, { address, visitHash }: Origin): Visitor {
  const level = levelOf(link, settings)
  const permissions = new Set<Permission>()
  if (linkSees(level)) permissions.add('files:read')
  if (linkAdds(level)) permissions.add('files:upload')
  return {
    userId: null,
    username: link.label === null ? `link ${link.id}` : `link "${link.label}"`,
    // A file has nothing below it; its link finds it by its id.
    root: { spaceId: link.item_space_id, folderId: link.item_id },
    permissions,
    sessionId: null,
    key: null,
    link: {
      id: link.id,
      itemId: link.item_id,
      level,
      madeBy: makerIdOf(link),
      passwordHash: link.password_hash,
    },
    address,
    visitHash,
  }
}

/** A link that works, or is only used up, and the visitor by it. */
export interface OpenLink {
  link: LinkAccount
  visitor: Visitor
  isUsedUp: boolean
}

/**
 * Opens a link for a visitor. Throws `not_found` unless it works; a link that is used up is opened, because who has
 * begun a download may go on with it.
 */
export async function openLink(db: Database, link: LinkAccount | undefined, origin: Origin): Promise<OpenLink> {
  if (link === undefined) throw deadLink()
  const settings = await db.cached('sharing', () => findSharing(db))
  const maker = makerOf(link)
  const standing = maker === null ? null : await findStanding(db, maker, linkedItem(link))
  const reason = reasonOf(link, settings, isStillAllowed(link, maker, standing))
  if (reason !== null && reason !== 'used_up') throw deadLink(reason)
  return { link, visitor: visitorOf(link, settings, origin), isUsedUp: reason === 'used_up' }
}

/**
 * Throws `not_found` if since the request began a visitor's link has stopped working, allows less than it did, or has got
 * another password.
 */
export async function confirmLink(db: Database, visitor: Visitor): Promise<void> {
  const { link, permissions } = visitor
  const now = await openLink(db, await findLinkById(db, link.id), visitor)
  const hasLess = ![...permissions].every(permission => now.visitor.permissions.has(permission))
  if (hasLess || now.link.password_hash !== link.passwordHash) throw deadLink()
}
