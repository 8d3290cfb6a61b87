/** Tracks each request until its response ends: gives it an id, counts it, and logs one line without secrets. */
import { randomUUID } from 'node:crypto'
import type { Context, Next } from 'koa'
import type { Caller } from '../access/actor.ts'
import type { Log } from '../base/log.ts'
import type { Deps } from '../deps.ts'
import type { AnyEndpoint } from '../route.ts'
import { openByteCounts } from './byte-counts.ts'
import { patternOf } from './path-pattern.ts'
import { addRequestMetrics } from './request-metrics.ts'

/** The result of a request. */
interface EndedRequest {
  method: string
  /** The pattern of its path, never the path itself: `/api/files/:id`. */
  route: string
  status: number
  /** False if the connection ended before the response did. */
  isWhole: boolean
  ms: number
  bytesIn: number
  bytesOut: number
}

/** Logs changes and failures at `info`, because operators look for them; reads are far more frequent. */
const levelOf = ({ method, status }: EndedRequest): 'info' | 'debug' =>
  status < 400 && (method === 'GET' || method === 'HEAD') ? 'debug' : 'info'

function logRequest(log: Log, ctx: Context, request: EndedRequest): void {
  const level = levelOf(request)
  if (!log.isLevelEnabled(level)) return
  const { requestId, address } = ctx.state
  const actor = ctx.state.actor as Caller | undefined
  const { method, route, status, isWhole } = request
  const line = {
    requestId,
    method,
    route,
    status,
    ms: Math.round(request.ms),
    bytes_in: request.bytesIn,
    bytes_out: request.bytesOut,
    user: actor?.userId ?? undefined,
    key: actor?.key?.id,
    link: ctx.state.link as number | undefined,
    address,
    broken: isWhole ? undefined : true,
  }
  log[level](line, 'request')
}

/** Gives every request an id, sent with its response, and reports it when it has ended. Only `readTarget` comes before. */
export function followRequests({ log, clock, metrics }: Deps) {
  const countBytes = openByteCounts()
  const counts = addRequestMetrics(metrics)
  return async (ctx: Context, next: Next): Promise<void> => {
    const began = clock.monotonic()
    const { req, res } = ctx
    ctx.state.requestId = randomUUID()
    ctx.set('X-Request-Id', ctx.state.requestId)
    // Later middleware may strip the public URL's base path, and set the caller in `state`.
    counts.begin()
    res.once('close', () => {
      const endpoint = ctx.state.endpoint as AnyEndpoint | undefined
      const request = {
        method: ctx.method,
        route: patternOf(ctx),
        endpoint,
        status: res.statusCode,
        isWhole: res.writableFinished,
        ms: clock.monotonic() - began,
        uploaded: Number(ctx.state.uploaded ?? 0),
        ...countBytes(req.socket),
      }
      request.bytesOut += Number(ctx.state.handedOver ?? 0)
      counts.end(request)
      logRequest(log, ctx, request)
    })
    await next()
  }
}
