/** One action on many items, each done on its own by the function behind its single call. */
import type { Actor } from '../access/actor.ts'
import { mayCall } from '../access/policy.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { BatchResult, batchFiles as endpoint } from '../api/files.ts'
import type { Permission } from '../api/permissions.ts'
import { toAppError } from '../db/failures.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { findTag } from '../tags/find.ts'
import { deleteFile } from './delete/purge.ts'
import { favoriteFile } from './favorites.ts'
import { findFolder } from './find.ts'
import { moveFile } from './move.ts'
import { tagFiles, untagFiles } from './tagging.ts'
import { restoreFile, trashFile } from './trash.ts'

type BatchInput = ParsedInputOf<typeof endpoint>

/** What each action asks for, as a single call and in a batch. */
export const actionAccess = {
  move: 'files:write',
  favorite: 'files:write',
  trash: 'files:delete',
  restore: 'files:delete',
  delete: 'files:delete',
  tag: 'tags:write',
  untag: 'tags:write',
} as const satisfies Record<BatchInput['action'], Permission>

type SingleCall = (id: number) => Promise<unknown>

/** The action on one item. Throws `not_found` for a folder or tag that would be nobody's target. */
async function chooseCall(deps: Deps, actor: Actor, input: BatchInput): Promise<SingleCall> {
  const { db } = deps
  switch (input.action) {
    case 'trash':
      return id => trashFile(db, actor, id)
    case 'restore':
      return id => restoreFile(db, actor, id)
    case 'delete':
      return id => deleteFile(deps, actor, id)
    case 'favorite':
      return id => favoriteFile(db, actor, id, input.is_favorite)
    case 'move': {
      const folder = await findFolder(db, actor.spaceId, input.parent_id ?? null)
      return id => moveFile(db, actor, id, folder?.id ?? null)
    }
    default: {
      const tag = await findTag(db, actor.userId, input.tag_id)
      const act = input.action === 'tag' ? tagFiles : untagFiles
      return id => act(db, actor, { tag_id: tag.id, file_ids: [id] })
    }
  }
}

/**
 * What became of each id, in the order given. Throws `forbidden` where the actor could not make the single call, and
 * `not_found` for the target; nothing has been done then.
 */
export async function batchFiles(deps: Deps, actor: Actor, input: BatchInput): Promise<BatchResult[]> {
  if (!mayCall(actor, actionAccess[input.action])) throw new AppError('forbidden', 'You may not do this')
  const call = await chooseCall(deps, actor, input)
  const results: BatchResult[] = []
  let outage: AppError | null = null
  for (const id of input.ids) {
    const failure: AppError | null = outage ?? (await tryCall(deps, call, id))
    // A database that is away would let each of the rest wait for it in turn.
    if (failure?.code === 'unavailable') outage = failure
    results.push(failure === null ? { id, ok: true } : { id, ok: false, error: failure.code, message: failure.message })
  }
  return results
}

/** Null where it was done. What nobody foresaw is logged, and costs the others nothing. */
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
