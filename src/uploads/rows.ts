/** Reads and changes the rows of unfinished uploads. */
import type { Actor, Caller } from '../access/actor.ts'
import { InTransit } from '../access/transit.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { type UploadRow, type UploadTarget, uploadTarget } from '../db/models/uploads.ts'
import { readStored } from '../db/stored-json.ts'
import { turnOf, turnOfVisitors } from '../db/write-actor.ts'
import { findFolder } from '../files/find.ts'
import { findOwnVisit } from '../links/visits.ts'

export interface Upload extends Omit<UploadRow, 'target'> {
  target: UploadTarget
}

/** The error for an upload that does not exist for the caller. */
export const noUpload = (): AppError => notFound('Upload')

/** An upload whose target cannot be read is as good as gone; fsck removes it. */
function readTarget<Row extends Pick<UploadRow, 'id' | 'target'>>(row: Row) {
  const target = readStored(uploadTarget, row.target, `uploads ${row.id}`)
  return target === null ? undefined : { ...row, target }
}

/** An upload that has not expired; undefined if there is none. */
export async function findById(db: Database, id: string, now: number): Promise<Upload | undefined> {
  const row = await db.row<UploadRow>('SELECT * FROM uploads WHERE id = $1 AND expires_at > $2', [id, now])
  return row === undefined ? undefined : readTarget(row)
}

/**
 * Whether an upload is the user's, or was begun by the visitor's link. What a browser with a visit of the link has begun
 * is that visit's alone as long as it lasts. Without a visit an upload is known by its id.
 */
async function isOwn(db: Database, { user_id, link_id, visit_hash }: Upload, caller: Caller): Promise<boolean> {
  if (caller.link === null) return user_id === caller.userId
  if (link_id !== caller.link.id) return false
  if (visit_hash === null || visit_hash === caller.visitHash) return true
  return (await findOwnVisit(db, link_id, visit_hash)) === null
}

/** Whether the upload goes to where the actor may add; a key for one folder and a link know no others. */
async function isReached(db: Database, actor: Caller, upload: Pick<Upload, 'target'>): Promise<boolean> {
  if (actor.root.folderId === null) return true
  return upload.target.parent_id !== null && mayStillAdd(db, actor, upload)
}

/** The actor's own upload. Throws `not_found`, also for others' uploads and what a key for one folder does not reach. */
export async function findOwn(db: Database, actor: Caller, id: string, now: number): Promise<Upload> {
  const upload = await findById(db, id, now)
  if (upload === undefined || !(await isOwn(db, upload, actor)) || !(await isReached(db, actor, upload)))
    throw noUpload()
  return upload
}

/** Whether the actor may still add a file where the upload goes. Throws `unavailable` in transit. */
export const mayStillAdd = (
  db: Database,
  actor: Caller,
  { target: { parent_id } }: Pick<Upload, 'target'>,
): Promise<boolean> =>
  findFolder(db, actor, parent_id, 'add').then(
    () => true,
    error => {
      if (error instanceof AppError && !(error instanceof InTransit)) return false
      throw error
    },
  )

/** What a list shows. Without the metadata, which may take 64 KB of each. */
const listed = `id, length, received, state, error, expires_at,
  CASE WHEN JSON_VALID(target) THEN JSON_REMOVE(target, '$.metadata') ELSE target END AS target`
type ListedColumn = 'id' | 'length' | 'received' | 'state' | 'error' | 'expires_at' | 'target'
export type ListedUpload = Pick<Upload, ListedColumn>

/** The actor's uploads that are no files yet, the newest first. */
export async function findAllOwn(db: Database, actor: Actor, now: number): Promise<ListedUpload[]> {
  const rows = await db.rows<Pick<UploadRow, ListedColumn>>(
    `SELECT ${listed} FROM uploads WHERE user_id = $1 AND state <> 'done' AND expires_at > $2
     ORDER BY created_at DESC, id`,
    [actor.userId, now],
  )
  const own: ListedUpload[] = []
  for (const row of rows) {
    const upload = readTarget(row)
    if (upload !== undefined && (await isReached(db, actor, upload))) own.push(upload)
  }
  return own
}

type Changes = Partial<
  Pick<UploadRow, 'blob_key' | 'target' | 'received' | 'store_state' | 'state' | 'error' | 'expires_at'>
>

/** Whose turn the writes take that an upload's requests cause. */
export const turnOfUpload = ({ user_id, space_id }: Pick<UploadRow, 'user_id' | 'space_id'>): string =>
  user_id === null ? turnOfVisitors(space_id) : turnOf({ userId: user_id })

/**
 * Changes an upload that this process holds (null: no other process can). Returns false if it is gone, or another
 * process has taken it.
 */
export async function saveUpload(
  db: Database,
  upload: Pick<UploadRow, 'id' | 'user_id' | 'space_id'>,
  holder: string | null,
  changes: Changes,
): Promise<boolean> {
  const columns = Object.entries(changes).filter(([, value]) => value !== undefined)
  const sets = columns.map(([name], index) => `${name} = $${index + 1}`).join(', ')
  const [own, held] = [`$${columns.length + 1}`, `$${columns.length + 2}`]
  const sql = `UPDATE uploads SET ${sets} WHERE id = ${own}${holder === null ? '' : ` AND holder = ${held}`}`
  const values = [...columns.map(([, value]) => value), upload.id, ...(holder === null ? [] : [holder])]
  return (await db.touch(() => db.change(sql, values), turnOfUpload(upload))) > 0
}
