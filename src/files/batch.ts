/** Runs one action on many items; each may fail without the others. */
import type { Actor } from '../access/actor.ts'
import { confirmActor } from '../access/confirm-actor.ts'
import { mayCall } from '../access/policy.ts'
import { InTransit } from '../access/transit.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { BatchResult, batchFiles as endpoint } from '../api/files.ts'
import type { Permission } from '../api/permissions.ts'
import { AppError } from '../base/errors.ts'
import { toAppError } from '../db/failures.ts'
import type { Deps } from '../deps.ts'
import { deleteFile } from './delete/purge.ts'
import { favoriteEach } from './favorites.ts'
import { findFolder } from './find.ts'
import { moveFile } from './move.ts'
import { tagEach } from './tagging.ts'
import { restoreFile, trashFile } from './trash.ts'

type BatchInput = ParsedInputOf<typeof endpoint>

/** The permission that each action needs, both as a single call and in a batch. */
export const actionAccess = {
  move: 'files:write',
  favorite: 'files:write',
  trash: 'files:delete',
  restore: 'files:delete',
  delete: 'files:delete',
  tag: 'tags:write',
  untag: 'tags:write',
} as const satisfies Record<BatchInput['action'], Permission>

/** Actions that mark items in one write. */
type Mark = Extract<BatchInput, { action: 'favorite' | 'tag' | 'untag' }>

/** After this many items, check again whether the actor may still do this. */
const confirmEvery = 50

type SingleCall = (id: number) => Promise<unknown>

/** Returns the function that runs the action on one item. Throws `not_found` if the target folder does not exist. */
async function chooseCall(deps: Deps, actor: Actor, input: Exclude<BatchInput, Mark>): Promise<SingleCall> {
  const { db } = deps
  switch (input.action) {
    case 'trash':
      return id => trashFile(db, actor, id)
    case 'restore':
      return id => restoreFile(db, actor, id)
    case 'delete':
      return id => deleteFile(deps, actor, id)
    default: {
      const { folderId } = await findFolder(db, actor, input.parent_id ?? null, 'add')
      return id => moveFile(deps, actor, { id, parent_id: folderId })
    }
  }
}

/** The error for each id, in the order of the ids; null if it succeeded. */
type Outcomes = (AppError | null)[]

/** Runs the action on one item after the other, as long as the actor may still do this. */
async function runEach(deps: Deps, actor: Actor, input: BatchInput, call: SingleCall): Promise<Outcomes> {
  const outcomes: Outcomes = []
  let outage: AppError | null = null
  const confirm = () => confirmActor(deps.db, actor, actor.permissions)
  for (const [index, id] of input.ids.entries()) {
    if (index > 0 && index % confirmEvery === 0) outage ??= await tryCall(deps, confirm, id)
    const failure: AppError | null = outage ?? (await tryCall(deps, call, id))
    // If the database is unavailable, fail the rest at once; otherwise each would wait for it in turn.
    if (failure?.code === 'unavailable' && !(failure instanceof InTransit)) outage = failure
    outcomes.push(failure)
  }
  return outcomes
}

/** Runs marks in one write, and other actions in one write per item. */
async function run(deps: Deps, actor: Actor, input: BatchInput): Promise<Outcomes> {
  const { ids } = input
  switch (input.action) {
    case 'favorite':
      return favoriteEach(deps.db, actor, ids, input.is_favorite)
    case 'tag':
    case 'untag':
      return tagEach(deps.db, actor, { tag_id: input.tag_id, file_ids: ids }, input.action === 'tag')
    default:
      return runEach(deps, actor, input, await chooseCall(deps, actor, input))
  }
}

/**
 * Runs a batch and returns the result for each id, in the given order. Throws `forbidden` if the actor may not make the
 * single call, and `not_found` for the target folder or tag; nothing has been done then.
 */
export async function batchFiles(deps: Deps, actor: Actor, input: BatchInput): Promise<BatchResult[]> {
  // A key for one folder has no favourites.
  const isOutside = input.action === 'favorite' && actor.root.folderId !== null
  if (isOutside || !mayCall(actor, actionAccess[input.action])) throw new AppError('forbidden', 'You may not do this')
  const outcomes = await run(deps, actor, input)
  return input.ids.map((id, index) => {
    const failure = outcomes[index] ?? null
    return failure === null ? { id, ok: true } : { id, ok: false, error: failure.code, message: failure.message }
  })
}

/** Returns the error, or null on success. Unexpected errors are logged and do not stop the batch. */
async function tryCall({ log }: Deps, call: SingleCall, id: number): Promise<AppError | null> {
  try {
    await call(id)
    return null
  } catch (thrown) {
    const failure = toAppError(thrown)
    if (failure.status >= 500) log.error({ err: failure.cause ?? failure, id }, failure.message)
    return failure
  }
}
