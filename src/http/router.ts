/** A request's way through the table: key → forgery and access → body or upload → parse → run → envelope. */
import type { Context, Middleware } from 'koa'
import type { Actor } from '../access/actor.ts'
import { pathParams } from '../api/endpoint.ts'
import { keepRoom } from '../blobs/room.ts'
import type { Deps } from '../deps.ts'
import { AppError, invalidField } from '../errors.ts'
import { discardBlobs } from '../files/content.ts'
import { isForm, readForm, readJson } from './body.ts'
import { checkForgery, openAdmission } from './caller.ts'
import { hasCopy } from './conditions.ts'
import { sendBytes, sendStreamed } from './download.ts'
import { createMatcher, type Match, type PathParams } from './match.ts'
import { parseInput } from './parse.ts'
import type { AnyEndpoint, Call, PublicCall, Reply, Route, UploadCall } from './route.ts'
import { sessionControl } from './session.ts'
import { type FormFields, receiveUpload } from './upload.ts'

export const apiBase = '/api'

/** Path parameters and the rest as one input. A parameter cannot be given a second time beside the path. */
function joinInput(endpoint: AnyEndpoint, params: PathParams, rest: Record<string, unknown>): Record<string, unknown> {
  const twice = pathParams(endpoint.path).find(name => Object.hasOwn(rest, name))
  if (twice !== undefined) throw invalidField(twice, `Unknown field ${twice}`)
  return { ...rest, ...params }
}

const requestFacts = (ctx: Context) => ({
  address: String(ctx.state.address),
  userAgent: ctx.get('User-Agent') || null,
  hasCopy: (etag: string) => hasCopy(ctx, etag),
})

/** Calls with a body take everything from there; what stands in the query beside it would be overlooked. */
function refuseQuery(ctx: Context): void {
  const [name] = Object.keys(ctx.query)
  if (name !== undefined) throw invalidField(name, `Unknown field ${name}`)
}

async function readInput(ctx: Context, endpoint: AnyEndpoint, params: PathParams): Promise<never> {
  const parse = (schema: AnyEndpoint['input'], rest: Record<string, unknown>) =>
    parseInput(schema, joinInput(endpoint, params, rest)) as never
  if (endpoint.carrier === 'query') return parse(endpoint.input, { ...ctx.query })
  refuseQuery(ctx)
  if (endpoint.form !== undefined && isForm(ctx)) return parse(endpoint.form, await readForm(ctx))
  return parse(endpoint.input, await readJson(ctx))
}

async function runUpload(
  ctx: Context,
  deps: Deps,
  route: Route & { kind: 'upload' },
  params: PathParams,
  call: Call<never>,
) {
  const { endpoint } = route
  refuseQuery(ctx)
  const parse = (fields: FormFields) => parseInput(endpoint.input, joinInput(endpoint, params, fields)) as never
  const contentLength = ctx.request.length ?? null
  await deps.room.admit(contentLength ?? 0)
  const { fields, upload } = await receiveUpload(ctx, {
    store: keepRoom(deps.store, deps.room),
    contentLength,
    before: async early => route.before({ actor: call.actor, input: parse(early), contentLength }),
  })
  try {
    return await route.run({ ...call, input: parse(fields), upload } as UploadCall<never>)
  } catch (error) {
    await discardBlobs(deps, [upload.blob])
    throw error
  }
}

async function send(ctx: Context, { accelRedirect }: Deps['config'], reply: Reply<unknown>): Promise<void> {
  if (reply.kind === 'bytes') return sendBytes(ctx, reply.file, accelRedirect)
  if (reply.kind === 'stream') return sendStreamed(ctx, reply.file)
  const text = textOf(reply)
  if (reply.etag !== undefined) ctx.set({ ETag: reply.etag, 'Cache-Control': 'private, no-cache' })
  if (text === null) {
    ctx.status = 304
    return
  }
  ctx.status = reply.kind === 'json' ? reply.status : 200
  ctx.type = 'json'
  ctx.body = text
}

/** What Koa would make of an object itself, but at a time when no failure gets its answer any more. */
function textOf(reply: Exclude<Reply<unknown>, { file: unknown }>): string | null {
  if (reply.kind === 'not-modified') return null
  if (reply.kind === 'document') return reply.text
  return JSON.stringify({ success: true, message: reply.message, data: reply.data })
}

/** Serves the whole table under /api; answers unknown paths with 404 and unknown methods with 405. */
export function router(deps: Deps, routes: readonly Route[]): Middleware {
  const matcher = createMatcher(routes)
  const admission = openAdmission(deps)

  async function run(ctx: Context, { route, params }: Match, keyActor: Actor | null): Promise<Reply<unknown>> {
    checkForgery(ctx, deps, route, keyActor)
    const open: Omit<PublicCall<never>, 'input'> = { request: requestFacts(ctx), session: sessionControl(ctx) }
    if (route.kind === 'public') return route.run({ ...open, input: await readInput(ctx, route.endpoint, params) })
    const actor = await admission.admit(ctx, route, keyActor)
    if (route.kind === 'upload')
      return runUpload(ctx, deps, route, params, { ...open, actor, input: undefined as never })
    return route.run({ ...open, actor, input: await readInput(ctx, route.endpoint, params) })
  }

  return async ctx => {
    ctx.set('Cache-Control', 'no-store')
    const match = matcher.find(ctx.method, ctx.path.slice(apiBase.length))
    if ('route' in match) ctx.state.endpoint = match.route.endpoint
    const keyActor = await admission.findKeyActor(ctx)
    if ('allow' in match) {
      if (match.allow.length === 0) throw new AppError('not_found', 'No such call')
      ctx.set('Allow', match.allow.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', '))
      throw new AppError('method_not_allowed', `${ctx.method} is not possible here`)
    }
    await send(ctx, deps.config, await run(ctx, match, keyActor))
  }
}
