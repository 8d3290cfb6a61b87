/** Runs the calls that upload: receives the form, checks the actor again after it, and stores what came. */
import type { Context } from 'koa'
import { type Actor, accountOf, type Caller } from '../access/actor.ts'
import { inlineLimit, maxUploadManyFiles } from '../api/limits.ts'
import { parseInput } from '../base/parse-input.ts'
import type { Allowance } from '../blobs/receive.ts'
import type { Deps } from '../deps.ts'
import { discardBlobs } from '../files/named-keys.ts'
import type { Reply } from '../reply.ts'
import type { AnyEndpoint, Call, ManyAdmission, Route, Upload, UploadManyCall } from '../route.ts'
import { joinInput, refuseQuery } from './input.ts'
import type { PathParams } from './match.ts'
import type { FormFields } from './multipart.ts'
import { receiveUpload } from './upload.ts'
import { type ReceivedItem, receiveMany } from './upload-many.ts'

interface UploadingCall extends Call<never> {
  /** Checks the actor again once the body has arrived. */
  confirm(): Promise<Actor>
  /** Counts bytes of the body that wait in memory, or with a negative number gives them back. */
  countHeld(bytes: number): void
}

/** An upload of a user or a visitor, as far as receiving it needs to know. */
interface UploadWork {
  endpoint: AnyEndpoint
  caller: Caller
  countHeld(bytes: number): void
  /** Refuses or limits the file at its first byte. */
  before(input: never, contentLength: number | null): Promise<Allowance>
  /** Stores the file, once the caller has been checked again. */
  run(input: never, upload: Upload): Promise<Reply<unknown>>
}

const parserOf =
  ({ endpoint }: Pick<Route, 'endpoint'>, params: PathParams) =>
  (fields: FormFields) =>
    parseInput(endpoint.input, joinInput(endpoint, params, fields)) as never

/** Receives one file and stores it. */
export async function runUpload(
  ctx: Context,
  deps: Deps,
  params: PathParams,
  work: UploadWork,
): Promise<Reply<unknown>> {
  refuseQuery(ctx)
  const parse = parserOf(work, params)
  // Every field is optional, so this refuses a path that names no item, before the body.
  parse({})
  const contentLength = ctx.request.length ?? null
  // Inline content never passes the store, which counts the bytes of all other content, so count it here.
  await deps.freeSpace.admit(contentLength ?? 0, Math.min(contentLength ?? inlineLimit, 2 * inlineLimit))
  await deps.changes.count(accountOf(work.caller), 1)
  const { fields, upload, allowance } = await receiveUpload(ctx, {
    store: deps.freeSpace.keep(deps.store),
    contentLength,
    countHeld: work.countHeld,
    before: async early => work.before(parse(early), contentLength),
  })
  return allowance.store(async () => {
    try {
      const reply = await work.run(parse(fields), upload)
      ctx.state.uploaded = 1
      return reply
    } catch (error) {
      await discardBlobs(deps, [{ blob: upload.blob, error }])
      throw error
    }
  })
}

/** The upload of a user, by the functions of its route. */
export const uploadOf = (
  { endpoint, before, run }: Route & { kind: 'upload' },
  { confirm, countHeld, ...call }: UploadingCall,
): UploadWork => ({
  endpoint,
  caller: call.actor,
  countHeld,
  before: (input, contentLength) => before({ actor: call.actor, input, contentLength, request: call.request }),
  run: async (input, upload) => run({ ...call, actor: await confirm(), input, upload }),
})

/** Runs `work` while the bytes of all received files count as being stored. */
const storing = <T>(items: readonly ReceivedItem[], work: () => Promise<T>): Promise<T> =>
  items.reduce((run, item) => ('blob' in item ? () => item.allowance.store(run) : run), work)()

/** Receives many files and stores them once the whole form has arrived, each by itself. */
export async function runUploadMany(
  ctx: Context,
  deps: Deps,
  route: Route & { kind: 'upload-many' },
  params: PathParams,
  { confirm, countHeld, ...call }: UploadingCall,
): Promise<Reply<unknown>> {
  refuseQuery(ctx)
  const { actor } = call
  const parse = parserOf(route, params)
  const mostInline = maxUploadManyFiles * inlineLimit
  const contentLength = ctx.request.length ?? mostInline
  await deps.freeSpace.admit(contentLength, Math.min(contentLength, mostInline))
  let admission: ManyAdmission | undefined
  try {
    const { fields, items } = await receiveMany(ctx, {
      store: deps.freeSpace.keep(deps.store),
      countHeld,
      before: async early => {
        admission = await route.before({ actor, input: parse(early) })
        return admission
      },
      countChange: () => deps.changes.count(actor.userId, 1),
    })
    return await storing(items, async () => {
      try {
        return await route.run({
          ...call,
          actor: await confirm(),
          input: parse(fields),
          items,
          countStored: (files: number) => {
            ctx.state.uploaded = files
          },
        } as UploadManyCall<never>)
      } catch (error) {
        await discardBlobs(
          deps,
          items.flatMap(item => ('blob' in item ? { blob: item.blob, error } : [])),
        )
        throw error
      }
    })
  } finally {
    admission?.end()
  }
}
