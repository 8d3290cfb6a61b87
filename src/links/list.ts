/** Lists links, and what they were used for. */
import type { Actor } from '../access/actor.ts'
import type { LinkAccount } from '../access/link-rows.ts'
import { mayCall } from '../access/policy.ts'
import type { OutputOf, ParsedInputOf } from '../api/endpoint.ts'
import { maxPageSize } from '../api/limits.ts'
import type { listLinks as endpoint } from '../api/links.ts'
import { AppError } from '../base/errors.ts'
import { decodeCursor, encodeCursor } from '../db/cursor.ts'
import type { Deps } from '../deps.ts'
import { isLinkAdmin } from './change.ts'
import { findLinkable, findLinksBy, findLinksOf, keepTheirs } from './find.ts'
import { presentForAdmin, presentLinks } from './present.ts'

type ListDeps = Pick<Deps, 'db' | 'seal' | 'config'>
type ListInput = ParsedInputOf<typeof endpoint>
type LinkList = OutputOf<typeof endpoint>

async function findPage(
  { db }: ListDeps,
  userId: number | null,
  { limit, cursor }: ListInput,
): Promise<{ links: LinkAccount[]; next_cursor: string | null }> {
  const name = userId === null ? 'all links' : 'own links'
  const after = cursor === undefined ? [] : decodeCursor(cursor, [{ name, form: ['number'] }]).after
  const count = limit ?? maxPageSize
  const rows = await findLinksBy(db, userId, { last: Number(after?.[0] ?? Number.MAX_SAFE_INTEGER), count: count + 1 })
  const links = rows.slice(0, count)
  const last = rows.length > count ? links.at(-1) : undefined
  return { links, next_cursor: last === undefined ? null : encodeCursor(name, [last.id]) }
}

/** The links of an item that the actor may change. Throws `not_found`, `forbidden` and `invalid_input`. */
async function listOfItem(deps: ListDeps, actor: Actor, itemId: number): Promise<LinkList> {
  const { db } = deps
  await findLinkable(db, actor, itemId)
  const theirs = await keepTheirs(db, actor, await findLinksOf(db, itemId))
  return { links: await presentLinks(deps, actor, [...theirs.keys()]), next_cursor: null }
}

const notAllowed = (): AppError => new AppError('forbidden', 'You may not do this')

/** Lists links as the input asks. Throws `forbidden` for those of all users, unless the actor administers them. */
export async function listLinks(deps: ListDeps, actor: Actor, input: ListInput): Promise<LinkList> {
  const isOfAll = input.all === true && input.item_id === undefined
  if (!isOfAll && !mayCall(actor, 'files:link')) throw notAllowed()
  if (input.item_id !== undefined) return listOfItem(deps, actor, input.item_id)
  if (isOfAll) {
    if (!isLinkAdmin(actor)) throw notAllowed()
    const { links, next_cursor } = await findPage(deps, null, input)
    return { links: await presentForAdmin(deps.db, links), next_cursor }
  }
  const { links, next_cursor } = await findPage(deps, actor.userId, input)
  return { links: await presentLinks(deps, actor, links), next_cursor }
}
