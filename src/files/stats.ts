/** What a user has: counts, bytes by kind, and the newest files. Live items only. */
import type { Actor } from '../access/actor.ts'
import { type FileKind, fileKind } from '../api/kinds.ts'
import { recentFilesCount } from '../api/limits.ts'
import type { FileStats } from '../api/search.ts'
import type { Database } from '../db/database.ts'
import { keepByRevision } from './by-revision.ts'
import { type ItemRow, itemColumns } from './find.ts'
import { presentItems } from './present.ts'
import { findRevision } from './space.ts'

interface TypeRow {
  mime_type: string | null
  files: number
  bytes: number
}

/** Sums of the types that make up a kind; the largest first. */
function sumByKind(types: readonly TypeRow[]): FileStats['by_kind'] {
  const kinds = new Map<FileKind, { kind: FileKind; files: number; bytes: number }>()
  for (const { mime_type, files, bytes } of types) {
    const kind = fileKind(mime_type)
    const sum = kinds.get(kind) ?? { kind, files: 0, bytes: 0 }
    kinds.set(kind, { kind, files: sum.files + files, bytes: sum.bytes + bytes })
  }
  return [...kinds.values()].sort((a, b) => b.bytes - a.bytes)
}

const live = 'FROM files f WHERE f.space_id = $1 AND f.deleted_at IS NULL AND f.is_directory'

/** All that hangs on every item of the space; the recent files are one short range of an index. */
type Counts = Omit<FileStats, 'recent_files'>

async function countItems(db: Database, spaceId: number): Promise<Counts> {
  const [types, folders] = await Promise.all([
    db.rows<TypeRow>(`SELECT f.mime_type, COUNT(*) AS files, SUM(f.size) AS bytes ${live} = 0 GROUP BY f.mime_type`, [
      spaceId,
    ]),
    db.row<{ count: number }>(`SELECT COUNT(*) AS count ${live} = 1`, [spaceId]),
  ])
  return {
    total_files: types.reduce((sum, { files }) => sum + files, 0),
    total_folders: folders?.count ?? 0,
    by_kind: sumByKind(types),
  }
}

const findRecent = (db: Database, spaceId: number): Promise<ItemRow[]> =>
  db.rows<ItemRow>(
    `SELECT ${itemColumns} ${live} = 0 ORDER BY f.updated_at DESC, f.id DESC LIMIT ${recentFilesCount}`,
    [spaceId],
  )

const maxEntries = 10_000

/** Counting a million files reads a million entries of an index, so counts are kept while nothing changes. */
export function openFileStats(db: Database): (actor: Actor) => Promise<FileStats> {
  const keep = keepByRevision<Counts>(maxEntries)
  return async ({ spaceId }) => {
    const revision = await findRevision(db, spaceId)
    const counts = await keep(String(spaceId), revision, () => countItems(db, spaceId))
    return { ...counts, recent_files: await presentItems(db, await findRecent(db, spaceId)) }
  }
}
