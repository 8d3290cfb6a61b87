/**
 * What each call adds to what is stored: calls that add something ask for free space first, and are counted. All others
 * go on where there is too little, so that space can be freed, people let in and locked out, and everything read.
 */
import type { Actor } from '../access/actor.ts'
import { countWhenFull } from '../access/change-limits.ts'
import { changePassword, login, logout } from '../api/auth.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { archiveItems, batchFiles, emptyTrash, findFileByPath, trashFile } from '../api/files.ts'
import { updateApiKey } from '../api/keys.ts'
import { updateUser } from '../api/users.ts'
import { decideFile } from '../api/validation.ts'
import type { Deps } from '../deps.ts'
import type { AnyEndpoint } from '../route.ts'

/** Calls that only read, and have a body because an address has no room for their input. */
const reading: readonly AnyEndpoint[] = [archiveItems, findFileByPath]
/** Calls that go on though they write: what is there bounds what they can add, for what they undo cannot be done again. */
const bounded: readonly AnyEndpoint[] = [logout, trashFile, emptyTrash, decideFile]
/** Calls that go on though they could be made without end; while there is too little space they are counted. */
const endless: readonly AnyEndpoint[] = [login, changePassword, updateUser]

/** Whether a call may add to what is stored, and so be refused for want of space; a new one with a body does. */
export const mayGrow = (endpoint: AnyEndpoint): boolean =>
  (endpoint.method === 'POST' || endpoint.method === 'PUT') && ![...reading, ...bounded, ...endless].includes(endpoint)

function growthOfBatch({ action, ids }: ParsedInputOf<typeof batchFiles>): number {
  if (action === 'trash' || action === 'delete') return 0
  return action === 'move' || action === 'restore' ? ids.length : 1
}

/** How many changes a call makes that add to what is stored, 0 for one that goes on without space. */
function growthOf(endpoint: AnyEndpoint, input: unknown): number {
  if (endpoint === batchFiles) return growthOfBatch(input as ParsedInputOf<typeof batchFiles>)
  // Whoever may enable a key may also make one; to disable one must always be possible.
  if (endpoint === updateApiKey) return (input as ParsedInputOf<typeof updateApiKey>).is_active === false ? 0 : 1
  return mayGrow(endpoint) ? 1 : 0
}

/** Throws `storage_full` or `rate_limited` where a call may not add what its input asks for. */
export async function admitGrowth(deps: Deps, actor: Actor, endpoint: AnyEndpoint, input: unknown): Promise<void> {
  const growth = growthOf(endpoint, input)
  if (growth > 0) {
    await deps.room.admit()
    await deps.changes.count(actor.userId, growth)
  } else if (endless.includes(endpoint)) await countWhenFull(deps, actor.userId)
}
