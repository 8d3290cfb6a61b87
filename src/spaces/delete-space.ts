/** Deletes team folders with all that is in them, in slices. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { deleteSpace as endpoint } from '../api/spaces.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { Deps } from '../deps.ts'
import { deleteAllFiles } from '../files/delete/whole-space.ts'
import type { UnnamedBytes } from '../files/removals.ts'
import { endUploads, endUploadsByLinks } from '../files/unfinished-uploads.ts'
import { findTeam, type TeamRow } from './find.ts'

interface Ended {
  isGone: boolean
  /** Bytes in the store that no row refers to any more. */
  unnamed: UnnamedBytes[]
}

/** Whether the space has more than its team folder, live or in the trash. */
const hasContent = async (db: Database, { id, folder_id }: TeamRow): Promise<boolean> =>
  (await db.row('SELECT f.id FROM files f WHERE f.space_id = $1 AND f.id <> $2 LIMIT 1', [id, folder_id])) !== undefined

/** Removes the space. Returns the bytes that must be removed after the commit. */
async function remove(db: Database, { id, folder_id }: TeamRow): Promise<UnnamedBytes[]> {
  const unnamed = await endUploads(db, 'x.space_id = $1', [id])
  await db.change('DELETE FROM files WHERE id = $1', [folder_id])
  await db.change('DELETE FROM spaces WHERE id = $1', [id])
  return unnamed
}

/**
 * Deletes a team folder. Its members and the visitors of its links lose access at once; the content goes in slices,
 * unless there is none. If that is interrupted, repeating the call continues it. Throws `not_found`, `in_use` if there is
 * content and the input does not say to delete it, and before each slice as `confirmedWrite`.
 */
export async function deleteSpace(deps: Deps, actor: Principal, input: DeleteInput): Promise<void> {
  const { db } = deps
  const begun = await begin(db, actor, input)
  await deps.removals.add(begun.unnamed)
  for (let { isGone } = begun; !isGone; ) {
    const { folder_id } = await findTeam(db, input.id)
    await deleteAllFiles(deps, work => confirmedWrite(db, actor, work), input.id, folder_id)
    const ended = await confirmedWrite(db, actor, record => finish(db, record, input.id))
    await deps.removals.add(ended.unnamed)
    isGone = ended.isGone
  }
}

type DeleteInput = ParsedInputOf<typeof endpoint>

/**
 * Ends all access in one write. Links go with the items that they are on, because each may have many visits to be deleted
 * before; until then they are paused. Throws as `deleteSpace`.
 */
const begin = (db: Database, actor: Principal, input: DeleteInput): Promise<Ended> =>
  confirmedWrite(db, actor, async record => {
    await lockSpace(db, input.id)
    const team = await findTeam(db, input.id)
    const isEmpty = !(await hasContent(db, team))
    if (!isEmpty && input.files === undefined) throw new AppError('in_use', 'This team folder is not empty')
    const unnamed = await endUploadsByLinks(db, 'l.space_id = $1', [team.id])
    await db.change('UPDATE links SET is_active = 0 WHERE space_id = $1', [team.id])
    await db.change('DELETE FROM shares WHERE space_id = $1', [team.id])
    if (isEmpty) unnamed.push(...(await remove(db, team)))
    record('space.delete', { id: team.id, spaceId: team.id }, { name: team.name, files: input.files })
    return { isGone: isEmpty, unnamed }
  })

/** Removes the space unless an upload that was under way has added something; says whether it is gone. */
async function finish(db: Database, record: { nothing(): void }, id: number): Promise<Ended> {
  record.nothing()
  await lockSpace(db, id)
  const team = await findTeam(db, id)
  if (await hasContent(db, team)) return { isGone: false, unnamed: [] }
  return { isGone: true, unnamed: await remove(db, team) }
}
