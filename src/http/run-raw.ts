/** Runs the calls that read headers and bytes by themselves. */
import type { Context } from 'koa'
import type { Caller } from '../access/actor.ts'
import { clientHasGone } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import type { Deps } from '../deps.ts'
import type { Reply } from '../reply.ts'
import type { AnyEndpoint, RawParts } from '../route.ts'
import { refuseEncoding } from './body.ts'
import { cutOff } from './cut-off.ts'
import { joinInput, refuseQuery } from './input.ts'
import { mayGrow } from './limits/growth.ts'
import type { PathParams } from './match.ts'

/**
 * The chunks of a body. `cut` ends it, for a client that is maybe gone: what has arrived still comes, then an error. A
 * refused body stays open, so that its client can read the answer.
 */
function openBody({ req, res }: Context): Pick<RawParts<Caller>, 'chunks' | 'cut'> {
  let left = Number.POSITIVE_INFINITY
  let why = clientHasGone()
  async function* read(): AsyncGenerator<Buffer> {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      yield chunk
      left -= chunk.length
      if (left <= 0) throw why
    }
  }
  return {
    chunks: read(),
    cut: reason => {
      why = reason
      left = req.readableLength
      // One that has arrived is at work, and ends by itself.
      if (left === 0 && !req.complete) cutOff(req, res, reason)
    },
  }
}

type Arriving = Omit<RawParts<Caller>, 'confirm'>

interface RawWork<Start> {
  endpoint: AnyEndpoint
  run(call: Start & Arriving & { input: never }): Promise<Reply<unknown>>
}

/** Runs a call of a user or a visitor; `start` is what is known of the caller. */
export async function runRaw<Start extends object>(
  ctx: Context,
  { freeSpace }: Pick<Deps, 'freeSpace'>,
  { endpoint, run }: RawWork<Start>,
  params: PathParams,
  start: Start,
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
    ...openBody(ctx),
    countStored: () => {
      ctx.state.uploaded = 1
    },
  })
}
