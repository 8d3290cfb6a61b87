/** Reads and changes the rows of unfinished uploads. */
import type { Actor } from '../access/actor.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { type UploadRow, type UploadTarget, uploadTarget } from '../db/models/uploads.ts'
import { readStored } from '../db/stored-json.ts'
import { findFolder } from '../files/find.ts'
import { reserve } from '../files/space.ts'

export interface Upload extends Omit<UploadRow, 'target'> {
  target: UploadTarget
}

/** The error for an upload that does not exist for the caller. */
export const noUpload = (): AppError => notFound('Upload')

/** An upload whose target cannot be read is as good as gone; fsck removes it. */
function readTarget({ target, ...row }: UploadRow): Upload | undefined {
  const read = readStored(uploadTarget, target, `uploads ${row.id}`)
  return read === null ? undefined : { ...row, target: read }
}

/** An upload that has not expired; undefined if there is none. */
export async function findById(db: Database, id: string, now: number): Promise<Upload | undefined> {
  const row = await db.row<UploadRow>('SELECT * FROM uploads WHERE id = $1 AND expires_at > $2', [id, now])
  return row === undefined ? undefined : readTarget(row)
}

/** Whether the upload goes to where the actor may add; a key for one folder knows no others. */
async function isReached(db: Database, actor: Actor, { target: { parent_id } }: Upload): Promise<boolean> {
  if (actor.root.folderId === null) return true
  if (parent_id === null) return false
  return findFolder(db, actor, parent_id, 'add').then(
    () => true,
    error => {
      if (error instanceof AppError) return false
      throw error
    },
  )
}

/** The actor's own upload. Throws `not_found`, also for others' uploads and what a key for one folder does not reach. */
export async function findOwn(db: Database, actor: Actor, id: string, now: number): Promise<Upload> {
  const upload = await findById(db, id, now)
  if (upload?.user_id !== actor.userId || !(await isReached(db, actor, upload))) throw noUpload()
  return upload
}

/** The actor's uploads that are no files yet, the newest first. */
export async function findAllOwn(db: Database, actor: Actor, now: number): Promise<Upload[]> {
  const rows = await db.rows<UploadRow>(
    `SELECT * FROM uploads WHERE user_id = $1 AND state <> 'done' AND expires_at > $2 ORDER BY created_at DESC, id`,
    [actor.userId, now],
  )
  const own: Upload[] = []
  for (const row of rows) {
    const upload = readTarget(row)
    if (upload !== undefined && (await isReached(db, actor, upload))) own.push(upload)
  }
  return own
}

type Changes = Partial<Pick<UploadRow, 'target' | 'received' | 'store_state' | 'state' | 'error' | 'expires_at'>>

/**
 * Changes an upload that this process holds (null: no other process can). Returns false if it is gone, or another
 * process has taken it.
 */
export async function saveUpload(db: Database, id: string, holder: string | null, changes: Changes): Promise<boolean> {
  const columns = Object.entries(changes).filter(([, value]) => value !== undefined)
  const sets = columns.map(([name], index) => `${name} = $${index + 1}`).join(', ')
  const [own, held] = [`$${columns.length + 1}`, `$${columns.length + 2}`]
  const sql = `UPDATE uploads SET ${sets} WHERE id = ${own}${holder === null ? '' : ` AND holder = ${held}`}`
  const values = [...columns.map(([, value]) => value), id, ...(holder === null ? [] : [holder])]
  return (await db.touch(() => db.change(sql, values))) > 0
}

/** Inside a write: deletes an upload and gives back what it holds free. Returns false if it is gone. */
export async function deleteUpload(db: Database, id: string): Promise<boolean> {
  const row = await db.row<Pick<UploadRow, 'space_id' | 'reserved'>>(
    `SELECT space_id, reserved FROM uploads WHERE id = $1 ${db.dialect === 'mariadb' ? 'FOR UPDATE' : ''}`,
    [id],
  )
  if (row === undefined) return false
  await reserve(db, row.space_id, 0 - row.reserved)
  return (await db.change('DELETE FROM uploads WHERE id = $1', [id])) > 0
}

/**
 * Inside the write that deletes a user: deletes the user's uploads and gives back what they hold free in any space.
 * Returns the keys of their bytes, to be removed after the commit.
 */
export async function endUploadsOf(db: Database, userId: number): Promise<string[]> {
  const rows = await db.rows<Pick<UploadRow, 'id' | 'blob_key'>>(
    'SELECT id, blob_key FROM uploads WHERE user_id = $1 ORDER BY space_id, id',
    [userId],
  )
  for (const { id } of rows) await deleteUpload(db, id)
  return rows.flatMap(({ blob_key }) => (blob_key === null ? [] : [blob_key]))
}
