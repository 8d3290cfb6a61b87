/** Runs the calls that read headers and bytes by themselves. */
import type { Context } from 'koa'
import { parseInput } from '../base/parse-input.ts'
import type { Deps } from '../deps.ts'
import type { RawCall, Reply, Route } from '../route.ts'
import { refuseEncoding } from './body.ts'
import { joinInput, refuseQuery } from './input.ts'
import { mayGrow } from './limits/growth.ts'
import type { PathParams } from './match.ts'

type RawStart = Pick<RawCall<never>, 'actor' | 'request' | 'session' | 'confirm'>

export async function runRaw(
  ctx: Context,
  { freeSpace }: Pick<Deps, 'freeSpace'>,
  { endpoint, run }: Route & { kind: 'raw' },
  params: PathParams,
  start: RawStart,
): Promise<Reply<unknown>> {
  refuseQuery(ctx)
  refuseEncoding(ctx)
  const input = parseInput(endpoint.input, joinInput(endpoint, params, {})) as never
  if (mayGrow(endpoint)) await freeSpace.admit()
  return run({
    ...start,
    input,
    headers: ctx.headers,
    contentLength: ctx.request.length ?? null,
    // A refused body stays open, so that the client can read the answer.
    chunks: ctx.req.iterator({ destroyOnReturn: false }),
    cut: () => void ctx.req.destroy(),
    countStored: () => {
      ctx.state.uploaded = 1
    },
  })
}
