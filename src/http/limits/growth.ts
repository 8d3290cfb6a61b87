/**
 * How much each call adds to what is stored. Calls that add something need free space and are counted. All others are
 * allowed when space is low, so that users can free space, sign in, be locked out, and read everything.
 */
import { accountOf, type Caller } from '../../access/actor.ts'
import { countWhenFull } from '../../access/change-limits.ts'
import { changePassword, login, logout } from '../../api/auth.ts'
import { archiveItems } from '../../api/content.ts'
import type { ParsedInputOf } from '../../api/endpoint.ts'
import { batchFiles, findFileByPath } from '../../api/files.ts'
import { updateApiKey } from '../../api/keys.ts'
import { updateLink } from '../../api/links.ts'
import { tagFiles, untagFiles } from '../../api/tags.ts'
import { emptyTrash, trashFile } from '../../api/trash.ts'
import { updateUser } from '../../api/users.ts'
import { decideFile } from '../../api/validation.ts'
import { archiveLinkItems, unlockLink } from '../../api/visits.ts'
import type { Deps } from '../../deps.ts'
import type { AnyEndpoint } from '../../route.ts'

/** Calls that only read. They have a body because their input is too long for a URL. */
const reading: readonly AnyEndpoint[] = [archiveItems, archiveLinkItems, findFileByPath]
/** Calls that write, but are allowed: existing items limit what they add, because nothing can be undone twice. */
const bounded: readonly AnyEndpoint[] = [logout, trashFile, emptyTrash, decideFile]
/** Calls that are allowed although they can be repeated without limit; they are counted while space is low. */
const endless: readonly AnyEndpoint[] = [login, unlockLink, changePassword, updateUser]

/**
 * Whether a call may add to what is stored, so that it is refused without space. New calls with a body are included.
 */
export const mayGrow = (endpoint: AnyEndpoint): boolean =>
  ['POST', 'PUT', 'PATCH'].includes(endpoint.method) && ![...reading, ...bounded, ...endless].includes(endpoint)

/** How many marked files count as one change: a mark adds a row, but no event of its own. */
const marksInChange = 10
const growthOfMarks = (ids: readonly number[]): number => Math.ceil(ids.length / marksInChange)

function growthOfBatch({ action, ids }: ParsedInputOf<typeof batchFiles>): number {
  if (action === 'trash' || action === 'delete') return 0
  return action === 'move' || action === 'restore' ? ids.length : growthOfMarks(ids)
}

/** Whether an input turns something off and does nothing else; to do it again records nothing. */
function isOnlyOff(input: object): boolean {
  const given = Object.entries(input).filter(([name, value]) => name !== 'id' && value !== undefined)
  return given.length === 1 && given.every(([name, value]) => name === 'is_active' && value === false)
}

/** Returns how many changes that add to what is stored a call makes; 0 for one that is allowed without space. */
function growthOf(endpoint: AnyEndpoint, input: unknown): number {
  if (endpoint === batchFiles) return growthOfBatch(input as ParsedInputOf<typeof batchFiles>)
  if (endpoint === tagFiles || endpoint === untagFiles) {
    return growthOfMarks((input as ParsedInputOf<typeof tagFiles>).file_ids)
  }
  // Enabling a key or a link counts like creating one, which the same callers may do. Disabling must always be possible.
  if (endpoint === updateApiKey || endpoint === updateLink) return isOnlyOff(input as object) ? 0 : 1
  return mayGrow(endpoint) ? 1 : 0
}

/** Throws `storage_full` or `rate_limited` if a call may not add what its input requires. */
export async function admitGrowth(deps: Deps, actor: Caller, endpoint: AnyEndpoint, input: unknown): Promise<void> {
  const growth = growthOf(endpoint, input)
  if (growth > 0) {
    await deps.freeSpace.admit()
    await deps.changes.count(accountOf(actor), growth)
  } else if (endless.includes(endpoint)) await countWhenFull(deps, accountOf(actor))
}
