/** Looks up links for those who may make them there; only this file and access/link-account.ts read a link by id. */
import type { Principal } from '../access/actor.ts'
import { findLinkById, linkedItem } from '../access/link-account.ts'
import { findLinks, type LinkAccount } from '../access/link-rows.ts'
import { mayLink } from '../access/policy.ts'
import { findStanding, findStandings } from '../access/reach.ts'
import type { Standing } from '../access/standing.ts'
import { invalidField, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { type Found, findItem, notAllowedHere } from '../files/find.ts'
import type { DetailsRow } from '../files/item-row.ts'

/** What decides whether links can be made in a space. */
interface LinkSpace {
  space_kind: 'personal' | 'team'
  editors_may_link: 0 | 1
}

async function findSpace(db: Database, id: number): Promise<LinkSpace> {
  const row = await db.row<LinkSpace>('SELECT kind AS space_kind, editors_may_link FROM spaces WHERE id = $1', [id])
  if (row === undefined) throw notFound('File')
  return row
}

/** An item to which the actor may make links. Throws `not_found`, `forbidden`, and `invalid_input` for a team folder. */
export async function findLinkable(db: Database, actor: Principal, id: number): Promise<Found<DetailsRow>> {
  const item = await findItem(db, actor, id, 'see')
  const space = await findSpace(db, item.space_id)
  if (!mayLink(item.standing, space)) throw notAllowedHere()
  if (space.space_kind === 'team' && item.parent_id === null) {
    throw invalidField('item_id', 'A team folder itself takes no link: choose a folder in it')
  }
  return item
}

/** A link is its maker's and that of who manages the place, as long as they may make links there. */
const isTheirs = ({ userId }: Principal, link: LinkAccount, standing: Standing): boolean =>
  mayLink(standing, link) && (standing.here.manage || link.created_by === userId)

/** Of some links, those that the actor may change, with what the actor may do with their items. */
export async function keepTheirs(
  db: Database,
  actor: Principal,
  links: readonly LinkAccount[],
): Promise<Map<LinkAccount, Standing>> {
  const standings = await findStandings(db, actor, links.map(linkedItem))
  return new Map(
    links.flatMap(link => {
      const standing = standings.get(link.item_id)
      return standing !== undefined && isTheirs(actor, link, standing) ? [[link, standing] as const] : []
    }),
  )
}

/** A link by id, whoever made it. Throws `not_found`. */
export async function requireLink(db: Database, id: number): Promise<LinkAccount> {
  const link = await findLinkById(db, id)
  if (link === undefined) throw notFound('Link')
  return link
}

/** A link that the actor may change. Throws `not_found`, also for items that they cannot reach, and `forbidden`. */
export async function findOwnLink(db: Database, actor: Principal, id: number): Promise<LinkAccount> {
  const link = await requireLink(db, id)
  const standing = await findStanding(db, actor, linkedItem(link))
  if (standing === null) throw notFound('Link')
  if (!isTheirs(actor, link, standing)) throw notAllowedHere()
  return link
}

/** The links of an item, the newest first. */
export const findLinksOf = (db: Database, itemId: number): Promise<LinkAccount[]> =>
  findLinks(db, 'l.item_id = $1 ORDER BY l.id DESC', [itemId])

/** A page of the links that a user made (null: of all users), the newest first: at most `count` with an id below `last`. */
export const findLinksBy = (
  db: Database,
  userId: number | null,
  { last, count }: { last: number; count: number },
): Promise<LinkAccount[]> =>
  findLinks(db, `l.id < $1 ${userId === null ? '' : 'AND l.created_by = $2'} ORDER BY l.id DESC LIMIT ${count}`, [
    last,
    ...(userId === null ? [] : [userId]),
  ])

/** The number of links in a space. */
export async function countLinksIn(db: Database, spaceId: number): Promise<number> {
  const row = await db.row<{ count: number }>('SELECT COUNT(*) AS count FROM links WHERE space_id = $1', [spaceId])
  return row?.count ?? 0
}
