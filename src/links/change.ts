/** Changes links, pauses them and ends them. */
import { setTimeout } from 'node:timers/promises'
import type { Actor, Principal } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import type { LinkAccount } from '../access/link-rows.ts'
import { mayCall } from '../access/policy.ts'
import { refuseLevel, refuseOutlasting } from '../access/refuse.ts'
import { findSharing } from '../access/sharing-settings.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { updateLink as endpoint } from '../api/links.ts'
import { maybeIsoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import { toFlag } from '../db/models/columns.ts'
import type { LinkRow } from '../db/models/links.ts'
import type { Recorder } from '../db/recorder.ts'
import type { Deps } from '../deps.ts'
import { lockSpaceOf } from '../files/lock-spaces.ts'
import type { UnnamedBytes } from '../files/removals.ts'
import { pauseTime } from '../files/slices.ts'
import { endUploadsByLinks } from '../files/unfinished-uploads.ts'
import { findOwnLink, requireLink } from './find.ts'
import { detailOf, hashPassword, refuseTerms, toTime } from './make.ts'
import { deleteOutdated, endVisits } from './visits.ts'

type UpdateInput = ParsedInputOf<typeof endpoint>

/** The columns that an input changes; undefined stays. */
function columnsOf(input: UpdateInput, passwordHash: string | null, actor: Actor): Partial<LinkRow> {
  return {
    ...(input.level === undefined ? {} : { level: input.level }),
    ...(input.label === undefined ? {} : { label: input.label }),
    ...(input.password === undefined ? {} : { password_hash: passwordHash }),
    ...(input.expires_at === undefined ? {} : { expires_at: toTime(input.expires_at) }),
    ...(input.max_downloads === undefined ? {} : { max_downloads: input.max_downloads }),
    ...(input.max_bytes === undefined ? {} : { max_bytes: input.max_bytes }),
    ...(input.ask_name === undefined ? {} : { ask_name: toFlag(input.ask_name) }),
    ...(input.is_active === undefined ? {} : { is_active: toFlag(input.is_active) }),
    ...(input.take_over === undefined ? {} : { created_by: actor.userId }),
  }
}

/** The columns whose new value is another one. */
function changesOf(link: LinkAccount, columns: Partial<LinkRow>): Partial<LinkRow> {
  const changed = Object.entries(columns).filter(([name, value]) => link[name as keyof LinkRow] !== value)
  return Object.fromEntries(changed)
}

/** What the audit log tells of a change: never a password. */
function toldOf(changes: Partial<LinkRow>, { level }: LinkRow): Record<string, unknown> {
  const { password_hash, created_by, level: newLevel, expires_at, ...rest } = changes
  return {
    ...rest,
    ...(expires_at === undefined ? {} : { expires_at: maybeIsoTime(expires_at) }),
    ...(password_hash === undefined ? {} : { password: password_hash === null ? 'none' : 'new' }),
    ...(created_by === undefined ? {} : { take_over: true }),
    ...(newLevel === undefined ? {} : { from: level, level: newLevel }),
  }
}

const placeOf = ({ item_id, item_space_id }: LinkAccount) => ({ id: item_id, spaceId: item_space_id })

async function change(
  db: Database,
  record: Recorder,
  actor: Actor,
  link: LinkAccount,
  columns: Partial<LinkRow>,
): Promise<void> {
  const changes = changesOf(link, columns)
  if (Object.keys(changes).length === 0) return record.nothing()
  refuseTerms(
    {
      level: changes.level,
      hasPassword: changes.password_hash === undefined ? undefined : changes.password_hash !== null,
      expiresAt: changes.expires_at,
      createdAt: link.created_at,
    },
    link,
    await findSharing(db),
  )
  // Whatever but a pause is changed may widen the link, which then goes on after the key.
  if (changes.is_active !== 0 || Object.keys(changes).length > 1) {
    refuseOutlasting(actor, changes.expires_at === undefined ? link.expires_at : changes.expires_at)
    refuseLevel(actor, changes.level ?? link.level)
  }
  await db.update(db.links, changes, link.id)
  if (changes.password_hash !== undefined || changes.is_active === 0) await endVisits(db, link.id)
  const { name } = detailOf(link.item_name, link)
  record('link.update', placeOf(link), {
    name,
    ...(link.label === null ? {} : { label: link.label }),
    ...toldOf(changes, link),
  })
}

/**
 * Changes a link. Throws `not_found`, `forbidden`, and `invalid_input` for terms that the rules do not allow. A new
 * password, or a pause, ends the visits of those who had given the old one.
 */
export async function updateLink(
  deps: Pick<Deps, 'db' | 'passwords'>,
  actor: Actor,
  input: UpdateInput,
): Promise<void> {
  const { db } = deps
  const passwordHash = await hashPassword(deps, actor, input.password)
  await actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, (await requireLink(db, input.id)).item_id)
    const link = await findOwnLink(db, actor, input.id)
    await change(db, record, actor, link, columnsOf(input, passwordHash, actor))
  })
  // Also if this changed nothing: an earlier call may have broken off here.
  if (input.password !== undefined || input.is_active === false) await deleteOutdated(db, input.id)
}

/** Whether somebody administers all links, whatever they are on. */
export const isLinkAdmin = (actor: Principal): boolean => mayCall(actor, 'settings:manage')

/** Pauses a link inside a write, or lets it work again; what that does to its visits is the caller's. */
async function setActive(db: Database, record: Recorder, link: LinkAccount, isActive: boolean): Promise<void> {
  if ((link.is_active === 1) === isActive) return record.nothing()
  await db.update(db.links, { is_active: toFlag(isActive) }, link.id)
  record('link.update', placeOf(link), { name: link.item_name, is_active: isActive })
}

/**
 * Deletes a link in one write. Where it has many visits, only pauses it and deletes some of them: then returns null. Nobody
 * uses it any more while the others are deleted, nor if that breaks off.
 */
const tryDelete = (db: Database, actor: Principal, id: number): Promise<UnnamedBytes[] | null> =>
  actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, (await requireLink(db, id)).item_id)
    const link = isLinkAdmin(actor) ? await requireLink(db, id) : await findOwnLink(db, actor, id)
    if (await endVisits(db, id)) {
      await setActive(db, record, link, false)
      return null
    }
    const unnamed = await endUploadsByLinks(db, 'l.id = $1', [id])
    await db.change('DELETE FROM links WHERE id = $1', [id])
    record('link.delete', placeOf(link), detailOf(link.item_name, link))
    return unnamed
  })

/**
 * Ends a link, and what its visitors are sending. Returns these uploads' bytes, to be removed. Throws
 * `not_found` and `forbidden`; who has `settings:manage` may end every link.
 */
export async function deleteLink(db: Database, actor: Principal, id: number): Promise<UnnamedBytes[]> {
  for (;;) {
    const unnamed = await tryDelete(db, actor, id)
    if (unnamed !== null) return unnamed
    await setTimeout(pauseTime)
  }
}

/** Pauses a link, or lets it work again, for who administers all links. Throws `not_found`. */
export async function pauseLink(db: Database, actor: Principal, id: number, isActive: boolean): Promise<void> {
  await actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, (await requireLink(db, id)).item_id)
    const link = await requireLink(db, id)
    if (!isActive) await endVisits(db, id)
    await setActive(db, record, link, isActive)
  })
  if (!isActive) await deleteOutdated(db, id)
}
