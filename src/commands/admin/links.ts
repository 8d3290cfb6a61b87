/** `filestore admin link …`: the links on the whole server, without their addresses and what they are on. */
import { terminalActor } from '../../access/actor.ts'
import type { LinkAccount } from '../../access/link-rows.ts'
import type { Link } from '../../api/links.ts'
import { AppError } from '../../base/errors.ts'
import type { Flags } from '../../config-options.ts'
import type { Database } from '../../db/database.ts'
import { deleteLink, pauseLink } from '../../links/change.ts'
import { findLinksBy, requireLink } from '../../links/find.ts'
import { presentForAdmin } from '../../links/present.ts'
import { withRows } from '../open.ts'
import { findNamedUser, givenId } from './names.ts'

/** Links read at once. */
const sliceSize = 100

/** Returns all links, or those that a user has made, the newest first. Throws `not_found` for the user. */
export const listLinks = (flags: Flags, { user }: { user?: string }): Promise<Link[]> =>
  withRows(flags, async ({ db }) => {
    const userId = user === undefined ? null : (await findNamedUser(db, user)).id
    const listed: Link[] = []
    for (let last = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = await findLinksBy(db, userId, { last, count: sliceSize })
      listed.push(...(await presentForAdmin(db, rows)))
      const lowest = rows.at(-1)
      if (lowest === undefined || rows.length < sliceSize) return listed
      last = lowest.id
    }
  })

async function findNamedLink(db: Database, text: string): Promise<LinkAccount> {
  const id = givenId(text) ?? (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)
  if (id === undefined) throw new AppError('invalid_input', `'${text}' is not the id of a link`)
  return requireLink(db, id)
}

async function present(db: Database, link: LinkAccount): Promise<Link> {
  const [presented] = await presentForAdmin(db, [link])
  return presented as Link
}

/** Ends a link. Returns it as it was. Throws `not_found` and `invalid_input`. */
export const revokeLink = (flags: Flags, name: string): Promise<Link> =>
  withRows(flags, async ({ db }) => {
    const link = await present(db, await findNamedLink(db, name))
    // The sweeper removes the bytes of what its visitors were sending.
    await deleteLink(db, terminalActor, link.id)
    return link
  })

/** Pauses a link, or lets a paused one work again. Returns it. Throws `not_found` and `invalid_input`. */
export const switchLink = (flags: Flags, name: string, isActive: boolean): Promise<Link> =>
  withRows(flags, async ({ db }) => {
    const { id } = await findNamedLink(db, name)
    await pauseLink(db, terminalActor, id, isActive)
    return present(db, await requireLink(db, id))
  })
