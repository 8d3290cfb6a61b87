/** Statistics of a user's live items: counts, bytes by kind, and the newest files. */
import type { Actor } from '../access/actor.ts'
import { liveRow } from '../access/policy.ts'
import { type FileKind, fileKind } from '../api/kinds.ts'
import { recentFilesCount } from '../api/limits.ts'
import type { FileStats } from '../api/search.ts'
import type { Database } from '../db/database.ts'
import { type ItemRow, itemColumns } from './find.ts'
import { presentItems } from './present.ts'

/** Sums over the live items of one type, maintained by database triggers (migrations/count-triggers.ts). */
interface TypeRow {
  is_directory: 0 | 1
  mime_type: string
  items: number
  bytes: number
}

/** Sums by kind over its types, the largest in bytes first. */
function sumByKind(types: readonly TypeRow[]): FileStats['by_kind'] {
  const kinds = new Map<FileKind, { kind: FileKind; files: number; bytes: number }>()
  for (const { mime_type, items, bytes } of types) {
    const kind = fileKind(mime_type)
    const sum = kinds.get(kind) ?? { kind, files: 0, bytes: 0 }
    kinds.set(kind, { kind, files: sum.files + items, bytes: sum.bytes + bytes })
  }
  return [...kinds.values()].sort((a, b) => b.bytes - a.bytes)
}

const findRecent = (db: Database, spaceId: number): Promise<ItemRow[]> =>
  db.rows<ItemRow>(
    `SELECT ${itemColumns} FROM files f WHERE f.space_id = $1 AND ${liveRow} AND f.is_directory = 0
     ORDER BY f.updated_at DESC, f.id DESC LIMIT ${recentFilesCount}`,
    [spaceId],
  )

const sumItems = (types: readonly TypeRow[]): number => types.reduce((sum, { items }) => sum + items, 0)

export async function getFileStats(db: Database, actor: Actor): Promise<FileStats> {
  const { spaceId } = actor.root
  const types = await db.rows<TypeRow>(
    'SELECT is_directory, mime_type, items, bytes FROM type_counts WHERE space_id = $1 AND items > 0',
    [spaceId],
  )
  const files = types.filter(({ is_directory }) => is_directory === 0)
  const folders = types.filter(({ is_directory }) => is_directory === 1)
  return {
    total_files: sumItems(files),
    total_folders: sumItems(folders),
    by_kind: sumByKind(files),
    recent_files: await presentItems(db, actor, await findRecent(db, spaceId)),
  }
}
