/** Runs the calls that read headers and bytes by themselves. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { clientHasGone } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import type { Deps } from '../deps.ts'
import type { Reply } from '../reply.ts'
import type { RawCall, Route } from '../route.ts'
import { refuseEncoding } from './body.ts'
import { joinInput, refuseQuery } from './input.ts'
import { mayGrow } from './limits/growth.ts'
import type { PathParams } from './match.ts'

/**
 * The chunks of a body. `cut` ends it, for a client that is maybe gone: what has arrived still comes, then an error. A
 * refused body stays open, so that its client can read the answer.
 */
function openBody(req: IncomingMessage): Pick<RawCall<never>, 'chunks' | 'cut'> {
  let left = Number.POSITIVE_INFINITY
  async function* read(): AsyncGenerator<Buffer> {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      yield chunk
      left -= chunk.length
      if (left <= 0) throw clientHasGone()
    }
  }
  return {
    chunks: read(),
    cut: () => {
      left = req.readableLength
      if (left === 0) req.destroy()
    },
  }
}

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
    ...openBody(ctx.req),
    countStored: () => {
      ctx.state.uploaded = 1
    },
  })
}
