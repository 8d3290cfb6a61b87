/** Statistics of a user's live items: counts, bytes by kind, and the newest files. */
import type { Actor } from '../access/actor.ts'
import { shownRow } from '../access/policy.ts'
import { everything, ownStanding } from '../access/standing.ts'
import { type FileKind, fileKind } from '../api/kinds.ts'
import { recentFilesCount } from '../api/limits.ts'
import type { FileStats } from '../api/search.ts'
import type { Database } from '../db/database.ts'
import { readHighest } from './highest.ts'
import { presentItems } from './present.ts'
import { addStanding } from './surroundings.ts'

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

/**
 * What others have put into the space that is not approved, by type; the counts of the triggers include it. With
 * `liveRow` in place of `live_parent` SQLite would read the whole space instead of the index of such files.
 */
const findHeldTypes = (db: Database, spaceId: number, userId: number): Promise<TypeRow[]> =>
  db.rows<TypeRow>(
    `SELECT f.is_directory, COALESCE(f.mime_type, '') AS mime_type, COUNT(*) AS items, SUM(f.size) AS bytes FROM files f
     WHERE f.space_id = $1 AND f.validation_status <> 'approved' AND f.live_parent IS NOT NULL
       AND NOT ${shownRow(everything, '$2')}
     GROUP BY f.is_directory, COALESCE(f.mime_type, '')`,
    [spaceId, userId],
  )

function withoutHeld(types: readonly TypeRow[], held: readonly TypeRow[]): TypeRow[] {
  return types
    .map(type => {
      const less = held.find(({ mime_type }) => mime_type === type.mime_type)
      return { ...type, items: type.items - (less?.items ?? 0), bytes: type.bytes - Number(less?.bytes ?? 0) }
    })
    .filter(({ items }) => items > 0)
}

const sumItems = (types: readonly TypeRow[]): number => types.reduce((sum, { items }) => sum + items, 0)

export async function getFileStats(db: Database, actor: Actor): Promise<FileStats> {
  const { spaceId } = actor.root
  const { userId } = actor
  const types = await db.rows<TypeRow>(
    'SELECT is_directory, mime_type, items, bytes FROM type_counts WHERE space_id = $1 AND items > 0',
    [spaceId],
  )
  const recent = await readHighest(db, spaceId, userId, 'updated_at', { count: recentFilesCount })
  const held = await findHeldTypes(db, spaceId, userId)
  const files = withoutHeld(
    types.filter(({ is_directory }) => is_directory === 0),
    held,
  )
  const folders = types.filter(({ is_directory }) => is_directory === 1)
  const shown = recent.rows.map(row => addStanding(row, ownStanding))
  return {
    total_files: sumItems(files),
    total_folders: sumItems(folders),
    by_kind: sumByKind(files),
    recent_files: (await presentItems(db, actor, shown)).items,
  }
}
