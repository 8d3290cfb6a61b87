/**
 * Admits the visitors of links. This is the only guard of their calls: the link works, the visitor's turn has come, the
 * password was given, and the link's level allows what the call needs. Sessions and keys are not read.
 */
import type { Context } from 'koa'
import type { Visitor } from '../access/actor.ts'
import { noteAccess } from '../access/confirm-actor.ts'
import {
  deadLink,
  findLinkById,
  findLinkByToken,
  isLinkToken,
  type OpenLink,
  openLink,
} from '../access/link-account.ts'
import { type LinkAccount, makerIdOf } from '../access/link-rows.ts'
import { networkOf } from '../access/network.ts'
import { maxLinkRequests, maxMakerRequests, maxVisitorRequests, maxVisitorsRequests } from '../api/limits.ts'
import { second } from '../base/clock.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import { hasVisit } from '../links/visits.ts'
import type { GuestRoute, VisitControl, VisitorNeed } from '../route.ts'
import { markKnown } from './limits/connection-limits.ts'
import { holdLanes, openLanes } from './limits/lanes.ts'
import { checkOrigin } from './origin.ts'
import { visitOf } from './visit-cookies.ts'

/** ms that a request waits for its turn. */
const patience = 10 * second

export interface Admitted {
  visitor: Visitor
  link: LinkAccount
  isLocked: boolean
  isUsedUp: boolean
  visit: VisitControl
}

/** Throws unless the link's level allows what a call needs. What an upload link is on does not exist for its visitors. */
function refuseLevel({ permissions }: Visitor, need: VisitorNeed): void {
  if ((need === 'see' || need === 'bytes') && !permissions.has('files:read')) throw notFound('File')
  if (need === 'add' && !permissions.has('files:upload')) {
    throw new AppError('forbidden', 'This link takes no files')
  }
}

interface Guard {
  /** Admits the visitor of a request. Throws `not_found`, `password_required`, `forbidden` and `rate_limited`. */
  admit(ctx: Context, route: GuestRoute, token: string): Promise<Admitted>
  /** Admits the same visitor again, after a body or a wait. */
  readmit(ctx: Context, route: GuestRoute, admitted: Admitted): Promise<Admitted>
}

export function openVisitors(deps: Pick<Deps, 'db' | 'config' | 'linkLimits' | 'seal'>): Guard {
  const { db, config, linkLimits } = deps
  const enter = openLanes()
  const addressOf = (ctx: Context): string => String(ctx.state.address)

  const originOf = (ctx: Context, { hash }: VisitControl) => ({ address: addressOf(ctx), visitHash: hash })

  async function find(ctx: Context, token: string): Promise<LinkAccount> {
    const link = isLinkToken(token) ? await findLinkByToken(db, token) : undefined
    if (link !== undefined) return link
    await linkLimits.missToken(addressOf(ctx))
    throw deadLink()
  }

  /**
   * Waits for the request's turn among those of its address at all links, and among those of its link, of its maker's links
   * and of all links, which networks share. Returns whether it had to wait.
   */
  function takeTurn(ctx: Context, link: LinkAccount): Promise<boolean> {
    const network = networkOf(addressOf(ctx))
    return holdLanes(ctx, enter, [
      [`address ${network}`, maxVisitorRequests, { patience }],
      [`link ${link.id}`, maxLinkRequests, { network, patience }],
      [`links of ${makerIdOf(link)}`, maxMakerRequests, { network, patience }],
      ['links', maxVisitorsRequests, { network, patience }],
    ])
  }

  async function check(route: GuestRoute, opened: OpenLink, visit: VisitControl): Promise<Admitted> {
    const { need } = route
    const { link, visitor, isUsedUp } = opened
    if (isUsedUp && need !== 'bytes') throw deadLink('used_up')
    const isLocked = link.password_hash !== null && !(await hasVisit(db, link, visit.hash, 0))
    if (isLocked && need !== 'open') {
      throw new AppError('password_required', 'This link needs its password')
    }
    refuseLevel(visitor, need)
    return { visitor, link, isLocked, isUsedUp, visit }
  }

  return {
    async admit(ctx, route, token) {
      let readAt = performance.now()
      const found = await find(ctx, token)
      ctx.state.link = found.id
      const hasWaited = await takeTurn(ctx, found)
      const visit = visitOf(deps, ctx, token)
      if (hasWaited) readAt = performance.now()
      const link = hasWaited ? await findLinkByToken(db, token) : found
      const opened = await openLink(db, link, originOf(ctx, visit))
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') checkOrigin(ctx, config, visit.hash !== null)
      const admitted = await check(route, opened, visit)
      noteAccess(admitted.visitor, readAt)
      ctx.state.actor = admitted.visitor
      markKnown(ctx.res)
      return admitted
    },
    async readmit(ctx, route, { link, visit }) {
      const readAt = performance.now()
      const opened = await openLink(db, await findLinkById(db, link.id), originOf(ctx, visit))
      const admitted = await check(route, opened, visit)
      noteAccess(admitted.visitor, readAt)
      ctx.state.actor = admitted.visitor
      return admitted
    },
  }
}
