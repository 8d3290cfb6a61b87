/** Statistics of a user's live items: counts, bytes by kind, and the newest files. */
import type { Actor } from '../access/actor.ts'
import { liveRow, shownRow } from '../access/policy.ts'
import { everything, ownStanding } from '../access/standing.ts'
import { type FileKind, fileKind } from '../api/kinds.ts'
import { recentFilesCount } from '../api/limits.ts'
import type { FileStats } from '../api/search.ts'
import type { Database } from '../db/database.ts'
import { afterCondition, createBinds, orderBy } from '../db/keyset.ts'
import { type ItemRow, itemColumns } from './item-row.ts'
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

/** The most files per query. */
const sliceSize = 2000

const order = ['f.updated_at', 'f.id']
/** Files of a space that were not trashed themselves. */
const ofSpace = ['f.space_id = $1', 'f.deleted_at IS NULL', 'f.is_directory = 0']

type Place = Pick<ItemRow, 'updated_at' | 'id'>

/** The first file after a slice; null for the last slice. Read from the index only. */
async function findEnd(db: Database, spaceId: number, start: Place | null): Promise<Place | null> {
  const { conditions, values } = sliceOf(spaceId, start, null)
  const row = await db.row<Place>(
    `SELECT f.updated_at, f.id FROM files f WHERE ${conditions}
     ORDER BY ${orderBy(order, 'desc')} LIMIT 1 OFFSET ${sliceSize}`,
    values,
  )
  return row ?? null
}

/** The files from `start` on, newest first, up to but excluding `end`. */
function sliceOf(spaceId: number, start: Place | null, end: Place | null) {
  const binds = createBinds(spaceId)
  const conditions = [...ofSpace]
  // Ids are integers, so id + 1 includes the start itself.
  if (start !== null) conditions.push(afterCondition(order, [start.updated_at, start.id + 1], 'desc', binds.add))
  if (end !== null) conditions.push(afterCondition(order, [end.updated_at, end.id], 'asc', binds.add))
  return { conditions: conditions.join(' AND '), values: binds.values }
}

/**
 * The newest live files. Files trashed with their folder have to be skipped one by one. Slices keep a trashed folder of
 * a million files from blocking a connection for seconds.
 */
async function findRecent(db: Database, spaceId: number, userId: number): Promise<ItemRow[]> {
  const recent: ItemRow[] = []
  let start: Place | null = null
  do {
    const end = await findEnd(db, spaceId, start)
    const { conditions, values } = sliceOf(spaceId, start, end)
    const live = await db.rows<ItemRow>(
      `SELECT ${itemColumns} FROM files f WHERE ${conditions} AND ${liveRow}
         AND ${shownRow(everything, `$${values.push(userId)}`)}
       ORDER BY ${orderBy(order, 'desc')} LIMIT ${recentFilesCount}`,
      values,
    )
    recent.push(...live)
    start = end
  } while (start !== null && recent.length < recentFilesCount)
  return recent.slice(0, recentFilesCount)
}

/** What others have put into the space that is not approved, by type; the counts of the triggers include it. */
const findHeldTypes = (db: Database, spaceId: number, userId: number): Promise<TypeRow[]> =>
  db.rows<TypeRow>(
    `SELECT f.is_directory, COALESCE(f.mime_type, '') AS mime_type, COUNT(*) AS items, SUM(f.size) AS bytes FROM files f
     WHERE f.space_id = $1 AND f.validation_status <> 'approved' AND ${liveRow} AND NOT ${shownRow(everything, '$2')}
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
  const recent = await findRecent(db, spaceId, userId)
  const held = await findHeldTypes(db, spaceId, userId)
  const files = withoutHeld(
    types.filter(({ is_directory }) => is_directory === 0),
    held,
  )
  const folders = types.filter(({ is_directory }) => is_directory === 1)
  return {
    total_files: sumItems(files),
    total_folders: sumItems(folders),
    by_kind: sumByKind(files),
    recent_files: await presentItems(
      db,
      actor,
      recent.map(row => ({ ...row, standing: ownStanding })),
    ),
  }
}
