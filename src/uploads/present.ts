/** Builds the API form of unfinished uploads: only fields listed here leave the server. */
import type { Actor } from '../access/actor.ts'
import type { UnfinishedUpload } from '../api/tus.ts'
import { AppError } from '../base/errors.ts'
import { isoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import { uploadError } from '../db/models/uploads.ts'
import { readStored } from '../db/stored-json.ts'
import { findFolder } from '../files/find.ts'
import { findAncestors } from '../files/paths.ts'
import type { ListedUpload } from './rows.ts'

/** The path of a folder as the actor sees it; null if it is gone, or no longer takes the actor's files. */
async function pathOf(db: Database, actor: Actor, id: number | null): Promise<string | null> {
  if (id === null) return '/'
  try {
    const { standing } = await findFolder(db, actor, id, 'add')
    return (await findAncestors(db, { folderId: id, rootId: standing.rootId })).at(-1)?.path ?? '/'
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

export async function presentUploads(
  db: Database,
  actor: Actor,
  uploads: readonly ListedUpload[],
): Promise<UnfinishedUpload[]> {
  const paths = new Map<number | null, string | null>()
  for (const { target } of uploads) {
    const { parent_id } = target
    if (!paths.has(parent_id)) paths.set(parent_id, await pathOf(db, actor, parent_id))
  }
  return uploads.flatMap(({ id, target, length, received, state, error, expires_at }) =>
    state === 'done'
      ? []
      : {
          id,
          name: target.name,
          parent_id: target.parent_id,
          path: paths.get(target.parent_id) ?? null,
          length,
          received,
          modified_at: target.modified_at ?? null,
          state,
          error: error === null ? null : readStored(uploadError, error, `uploads ${id}`),
          expires_at: isoTime(expires_at),
        },
  )
}
