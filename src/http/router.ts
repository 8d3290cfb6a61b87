/**
 * Handles a request, in this order:
 * 1. find the caller by session or key,
 * 2. check for forgery, and the caller's access to the route,
 * 3. receive the body or the upload, and check the access again if it came late,
 * 4. run the route,
 * 5. send the envelope or the bytes; bytes may have to wait for their turn, and then the access is checked once more.
 */
import type { Context, Middleware } from 'koa'
import type { Actor, Caller } from '../access/actor.ts'
import { maxMakerStreams, maxOpenFiles, maxStreams, maxVisitorsStreams } from '../api/limits.ts'
import { AppError } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import type { Deps } from '../deps.ts'
import type { Reply } from '../reply.ts'
import type { AnyEndpoint, GuestRoute, PublicCall, Route, UserRoute } from '../route.ts'
import { hasArrived } from './arrival.ts'
import { isForm, receiveForm, receiveJson } from './body.ts'
import { askedOf, checkForgery, openAdmission } from './caller.ts'
import { isClientGone } from './client-gone.ts'
import { hasCopy } from './conditions.ts'
import { type SendOptions, sendBytes, sendStreamed } from './download.ts'
import { sendEventStream } from './event-stream.ts'
import { refuseOutsideFolder } from './folder-keys.ts'
import { joinInput, refuseQuery } from './input.ts'
import { openAnswerBudget } from './limits/answer-budget.ts'
import { openPermits } from './limits/answer-permits.ts'
import { openBodyBudget } from './limits/body-budget.ts'
import { maxBodyBytes } from './limits/body-size.ts'
import { openBodyTurns } from './limits/body-turns.ts'
import { openCallPermits } from './limits/call-permits.ts'
import { openDocumentPermits } from './limits/document-permits.ts'
import { admitGrowth } from './limits/growth.ts'
import type { Permit } from './limits/lanes.ts'
import { createMatcher, type Match, type PathParams } from './match.ts'
import { readQuery } from './query.ts'
import { runRaw } from './run-raw.ts'
import { runUpload, runUploadMany, uploadOf } from './run-upload.ts'
import { sendEmpty } from './send-empty.ts'
import { type JsonOptions, sendJson } from './send-json.ts'
import { sessionControl } from './session.ts'
import { type Admitted, openVisitors } from './visitors.ts'

export const apiBase = '/api'

const requestFacts = (ctx: Context) => ({
  address: String(ctx.state.address),
  userAgent: ctx.get('User-Agent') || null,
  hasCopy: (etag: string) => hasCopy(ctx, etag),
  ifMatch: ctx.get('If-Match') || null,
  isHead: ctx.method === 'HEAD',
  isGone: () => isClientGone(ctx),
})

/** How a body is received and parsed: what counts its bytes as they come, and what runs the parsing in its turn. */
interface BodyRules {
  count(bytes: number): void
  inTurn<T>(bytes: number, parse: () => T): T | Promise<T>
}

/** For calls that need no sign-in, whose bodies are small. */
const publicRules: BodyRules = { count: () => undefined, inTurn: (_bytes, parse) => parse() }

async function readInput(ctx: Context, route: Route, params: PathParams, rules = publicRules): Promise<never> {
  const { endpoint } = route
  const parse = (schema: AnyEndpoint['input'], rest: Record<string, unknown>) =>
    parseInput(schema, joinInput(endpoint, params, rest)) as never
  if (endpoint.carrier === 'query') return parse(endpoint.input, readQuery(ctx))
  refuseQuery(ctx)
  const isOfForm = endpoint.form !== undefined && isForm(ctx)
  const receive = isOfForm ? receiveForm : receiveJson
  const body = await receive(ctx, maxBodyBytes(route), rules.count)
  const schema = isOfForm ? endpoint.form : endpoint.input
  return rules.inTurn(body.bytes, () => parse(schema, body.parse()))
}

type Sending = SendOptions & Omit<JsonOptions, 'permit'>

async function send(ctx: Context, reply: Reply<unknown>, permit: Permit | null, options: Sending): Promise<void> {
  if (reply.kind === 'empty') {
    permit?.end()
    return sendEmpty(ctx, reply)
  }
  if (reply.kind !== 'bytes' && reply.kind !== 'stream' && reply.kind !== 'events') {
    return sendJson(ctx, reply, { ...options, permit })
  }
  permit?.end()
  if (reply.kind === 'events') return sendEventStream(ctx, reply.open)
  return reply.kind === 'bytes' ? sendBytes(ctx, reply.file, options) : sendStreamed(ctx, reply.file, options)
}

/** The result of a call's function, and the permit that the call still holds, if any. */
interface Outcome {
  reply: Reply<unknown>
  permit: Permit | null
}

const isGuest = (route: Route): route is GuestRoute => 'need' in route
const isUsers = (route: Route): route is UserRoute => 'access' in route

/** Serves the whole table under /api; answers unknown paths with 404 and unknown methods with 405. */
export function router(deps: Deps, routes: readonly Route[]): Middleware {
  const matcher = createMatcher(routes)
  const admission = openAdmission(deps)
  const visitors = openVisitors(deps)
  const takePermit = openCallPermits()
  const openBytes = openBodyBudget()
  const parseInTurn = openBodyTurns()
  const countUnread = openAnswerBudget()
  const takeDocument = openDocumentPermits()
  const takeFile = openPermits({ ofOne: maxOpenFiles })
  const takeStream = openPermits({ ofOne: maxStreams, ofMaker: maxMakerStreams, ofVisitors: maxVisitorsStreams })

  /** Waits for the answer's turn; returns whether it had to wait. */
  async function takeTurn(ctx: Context, what: 'file' | 'stream'): Promise<boolean> {
    const hasWaited = what === 'stream' && (await takeStream(ctx))
    return (await takeFile(ctx)) || hasWaited
  }

  const sendingOf = (ctx: Context, route: Route): Sending => ({
    countUnread,
    accelRedirect: deps.config.accelRedirect,
    waitFor: async what => {
      const hasWaited = await takeTurn(ctx, what)
      if (hasWaited && isUsers(route)) await admission.readmit(ctx, askedOf(route))
      if (hasWaited && isGuest(route)) await visitors.readmit(ctx, route, ctx.state.admitted as Admitted)
      return hasWaited
    },
  })

  /** Runs the function of a call in its turn; `again` admits its caller once more if the call had to wait. */
  async function runInTurn<By extends Caller>(
    ctx: Context,
    { route, params }: Match,
    caller: By,
    again: () => Promise<By>,
    work: (caller: By, input: never) => Promise<Reply<unknown>>,
  ): Promise<Outcome> {
    const held = openBytes(ctx, caller)
    let hasWaited = false
    const inTurn: BodyRules['inTurn'] = async (bytes, parse) => {
      const parsed = await parseInTurn(ctx, caller, bytes, parse)
      hasWaited = parsed.hasWaited
      return parsed.value
    }
    const input = await readInput(ctx, route, params, { count: held.add, inTurn }).finally(held.end)
    const permit = await takePermit(ctx, caller, route.endpoint)
    try {
      // When the body has already arrived, as it mostly has, no time has passed in which access could have ended.
      const confirmed = hasArrived(ctx) && !hasWaited && !permit.hasWaited ? caller : await again()
      await admitGrowth(deps, confirmed, route.endpoint, input)
      const reply = await work(confirmed, input)
      permit.endWork()
      return { reply, permit }
    } catch (error) {
      permit.end()
      throw error
    }
  }

  async function runForGuest(ctx: Context, match: Match & { route: GuestRoute }): Promise<Outcome> {
    const { route, params } = match
    const request = requestFacts(ctx)
    let admitted = await visitors.admit(ctx, route, params.token ?? '')
    const again = async () => {
      admitted = await visitors.readmit(ctx, route, admitted)
      ctx.state.admitted = admitted
      return admitted.visitor
    }
    ctx.state.admitted = admitted
    if (route.kind === 'guest') {
      return runInTurn(ctx, match, admitted.visitor, again, (_visitor, input) =>
        route.run({ ...admitted, request, input }),
      )
    }
    const { visitor: actor, link } = admitted
    const confirm = async () => (hasArrived(ctx) ? actor : again())
    if (route.kind === 'guest-raw') {
      return { reply: await runRaw(ctx, deps, route, params, { ...admitted, request, confirm }), permit: null }
    }
    const held = openBytes(ctx, actor)
    const uploading = runUpload(ctx, deps, params, {
      endpoint: route.endpoint,
      caller: actor,
      countHeld: held.add,
      before: (input, contentLength) => route.before({ actor, link, input, contentLength, request }),
      run: async (input, upload) => {
        await confirm()
        return route.run({ ...admitted, request, input, upload })
      },
    })
    return { reply: await uploading.finally(held.end), permit: null }
  }

  async function run(ctx: Context, match: Match, keyActor: Actor | null): Promise<Outcome> {
    const { route, params } = match
    checkForgery(ctx, deps, route, keyActor)
    const open: Omit<PublicCall<never>, 'input'> = { request: requestFacts(ctx), session: sessionControl(ctx) }
    if (!isUsers(route)) {
      if (isGuest(route)) throw new Error('a visitor came by the door of users')
      const reply = await route.run({ ...open, input: await readInput(ctx, route, params) })
      return { reply, permit: reply.kind === 'document' ? await takeDocument(ctx) : null }
    }
    const asked = askedOf(route)
    const actor = await admission.admit(ctx, asked, keyActor)
    refuseOutsideFolder(actor, route.endpoint)
    const again = () => admission.readmit(ctx, asked)
    if (route.kind === 'call') {
      return runInTurn(ctx, match, actor, again, (caller, input) => route.run({ ...open, actor: caller, input }))
    }
    const confirm = async () => (hasArrived(ctx) ? actor : again())
    if (route.kind === 'raw') {
      return { reply: await runRaw(ctx, deps, route, params, { ...open, actor, confirm }), permit: null }
    }
    const held = openBytes(ctx, actor)
    const call = { ...open, actor, confirm, countHeld: held.add, input: undefined as never }
    const uploading =
      route.kind === 'upload'
        ? runUpload(ctx, deps, params, uploadOf(route, call))
        : runUploadMany(ctx, deps, route, params, call)
    return { reply: await uploading.finally(held.end), permit: null }
  }

  return async ctx => {
    ctx.set('Cache-Control', 'no-store')
    const match = matcher.find(ctx.method, ctx.path.slice(apiBase.length))
    if ('route' in match) ctx.state.endpoint = match.route.endpoint
    if ('route' in match && 'headers' in match.route) ctx.set({ ...match.route.headers })
    const isForGuest = 'route' in match && isGuest(match.route)
    const keyActor = isForGuest ? null : await admission.findKeyActor(ctx)
    if ('allow' in match) {
      if (match.allow.length === 0) throw new AppError('not_found', 'No such call')
      const methods = match.allow.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      ctx.set('Allow', methods.join(', '))
      throw new AppError('method_not_allowed', `${ctx.method} is not possible here`)
    }
    const { route } = match
    const { reply, permit } = isGuest(route)
      ? await runForGuest(ctx, { ...match, route })
      : await run(ctx, match, keyActor)
    try {
      await send(ctx, reply, permit, sendingOf(ctx, route))
    } catch (error) {
      permit?.end()
      throw error
    }
  }
}
