/** Finds or makes the folders that the files of one upload name by their paths. */
import type { Actor } from '../access/actor.ts'
import { mayCall } from '../access/policy.ts'
import { AppError, nameTaken } from '../base/errors.ts'
import { toAppError } from '../db/failures.ts'
import type { Deps } from '../deps.ts'
import { findFolder, notAllowedHere } from './find.ts'
import { findByName } from './find-in-space.ts'
import { createFolder } from './folders.ts'

/** Says of the field `path` what is wrong with a folder: the file's own name may be free. */
function ofPath(error: unknown): AppError {
  const { code, message, cause, retryAfter } = toAppError(error)
  return new AppError(code, message, { cause, retryAfter, fields: { path: message } })
}

/**
 * Returns a function that gives the id of the folder below `parentId` at a path, given by its names. A missing one is
 * made, which needs files:write. Throws `forbidden`, `name_taken` if a file is in the way, and what `createFolder`
 * throws, each for the field `path`.
 */
export function openUploadFolders(
  { db, changes }: Pick<Deps, 'db' | 'changes'>,
  actor: Actor,
  parentId: number | null,
): (names: readonly string[]) => Promise<number | null> {
  /** Folders that were found or made, by parent and name. */
  const known = new Map<string, number>()

  async function make(parent: number | null, name: string): Promise<number> {
    if (!mayCall(actor, 'files:write')) throw new AppError('forbidden', 'You may not make folders')
    await changes.count(actor.userId, 1)
    const { id } = await createFolder(db, actor, { parent_id: parent, name, exist_ok: true })
    return id
  }

  async function find(parent: number | null, name: string): Promise<number> {
    const { spaceId, folderId, standing } = await findFolder(db, actor, parent, 'add')
    // Whether a drop box has folders is nothing that who hands in may learn.
    if (!standing.here.see) throw notAllowedHere()
    const existing = await findByName(db, spaceId, folderId, name)
    if (existing === undefined) return make(parent, name)
    if (existing.is_directory === 0) throw nameTaken(name)
    return existing.id
  }

  return async names => {
    let folder = parentId
    for (const name of names) {
      const key = `${folder}/${name}`
      const id =
        known.get(key) ??
        (await find(folder, name).catch(error => {
          throw ofPath(error)
        }))
      known.set(key, id)
      folder = id
    }
    return folder
  }
}
