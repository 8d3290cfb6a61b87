/** Counts what a folder holds on all levels, and how many bytes that is. */
import type { Actor } from '../access/actor.ts'
import { shownRow } from '../access/policy.ts'
import { everything } from '../access/standing.ts'
import { confirmPlace } from '../access/transit.ts'
import type { FolderSize } from '../api/files.ts'
import { maxMeasuredItems } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { isOneOf } from '../db/values.ts'
import { findFolder } from './find.ts'

/** Folders per query. */
const foldersAtOnce = 100

interface Sum {
  items: number
  bytes: number
}

const numbersOf = (row: { items: number; bytes: number | string | null } | undefined): Sum => ({
  items: row?.items ?? 0,
  // MariaDB sums to a decimal, which arrives as text.
  bytes: Number(row?.bytes ?? 0),
})

/** The shown files right in some folders; those beyond `maxMeasuredItems` are not read. */
async function sumFiles(db: Database, spaceId: number, folderIds: readonly number[], userId: number): Promise<Sum> {
  return numbersOf(
    await db.row<Sum>(
      `SELECT COUNT(*) AS items, SUM(size) AS bytes FROM (SELECT f.size FROM files f
       WHERE f.space_id = $1 AND ${isOneOf('f.live_parent', folderIds, 3)} AND f.is_directory = 0
         AND ${shownRow(everything, '$2')} LIMIT ${maxMeasuredItems + 1}) shown`,
      [spaceId, userId, ...folderIds],
    ),
  )
}

/** The live folders right in some folders. */
async function findInside(db: Database, spaceId: number, folderIds: readonly number[]): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    `SELECT f.id FROM files f
     WHERE f.space_id = $1 AND ${isOneOf('f.live_parent', folderIds, 2)} AND f.is_directory = 1
     LIMIT ${maxMeasuredItems + 1}`,
    [spaceId, ...folderIds],
  )
  return rows.map(({ id }) => id)
}

/** Level by level, until the folder ends or more than `maxMeasuredItems` are counted. */
async function measure(db: Database, spaceId: number, rootId: number, userId: number): Promise<FolderSize> {
  const size = { files: 0, folders: 0, bytes: 0, is_exact: true }
  let level = [rootId]
  while (level.length > 0) {
    const inside: number[][] = []
    for (let start = 0; start < level.length; start += foldersAtOnce) {
      const ids = level.slice(start, start + foldersAtOnce)
      const { items, bytes } = await sumFiles(db, spaceId, ids, userId)
      const folders = await findInside(db, spaceId, ids)
      size.files += items
      size.bytes += bytes
      size.folders += folders.length
      if (size.files + size.folders > maxMeasuredItems) return { ...size, is_exact: false }
      inside.push(folders)
    }
    level = inside.flat()
  }
  return size
}

/** Who may only add sees the own files right in the folder. */
async function measureHandIns(
  db: Database,
  folderId: number,
  standing: Parameters<typeof shownRow>[0],
  userId: number,
) {
  const { items, bytes } = numbersOf(
    await db.row<Sum>(
      `SELECT COUNT(*) AS items, SUM(f.size) AS bytes FROM files f
       WHERE f.live_parent = $1 AND ${shownRow(standing, '$2')}`,
      [folderId, userId],
    ),
  )
  return { files: items, folders: 0, bytes, is_exact: true }
}

/** What the actor sees in a folder, on all levels. Throws `not_found`, and `unavailable` in transit. */
export async function getFolderSize(db: Database, actor: Actor, id: number): Promise<FolderSize> {
  const { spaceId, standing } = await findFolder(db, actor, id, 'see')
  if (!standing.here.see) return measureHandIns(db, id, standing.here, actor.userId)
  const size = await measure(db, spaceId, id, actor.userId)
  await confirmPlace(db, spaceId, id)
  return size
}
