/** The largest files of the own tree, which take its storage. */
import type { Actor } from '../access/actor.ts'
import { ownStanding } from '../access/standing.ts'
import type { OutputOf, ParsedInputOf } from '../api/endpoint.ts'
import type { FileItem } from '../api/items.ts'
import { type FileKind, fileKind } from '../api/kinds.ts'
import { largestPageSize } from '../api/limits.ts'
import type { listLargest as endpoint } from '../api/search.ts'
import type { Database } from '../db/database.ts'
import { cursorAt, placeOf, readHighest, readPlace, slicesPerPage } from './highest.ts'
import type { ItemRow } from './item-row.ts'
import { presentItems } from './present.ts'
import { addStanding } from './surroundings.ts'

/** The MIME types of a kind that the space has; '' for files without one. */
async function typesOf(db: Database, spaceId: number, kind: FileKind): Promise<string[]> {
  const rows = await db.rows<{ mime_type: string }>(
    'SELECT mime_type FROM type_counts WHERE space_id = $1 AND is_directory = 0 AND items > 0',
    [spaceId],
  )
  return rows.map(({ mime_type }) => mime_type).filter(type => fileKind(type) === kind)
}

/** Orders the files of a page by size, and those of one size by content, so that equal ones are side by side. */
function besideEqual(files: readonly FileItem[], rows: readonly ItemRow[]): FileItem[] {
  const contentOf = new Map(rows.map(({ id, blob_id }) => [id, blob_id ?? 0]))
  return [...files].sort((a, b) => b.size - a.size || (contentOf.get(b.id) ?? 0) - (contentOf.get(a.id) ?? 0))
}

/**
 * Returns one page of the live files of the own tree, the largest first. A page may have fewer files than `limit`, or
 * none, and still lead to a next one.
 */
export async function listLargest(
  db: Database,
  actor: Actor,
  { kind, duplicates = false, limit = largestPageSize, cursor }: ParsedInputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const { spaceId } = actor.root
  const list = `largest ${kind ?? ''}${duplicates ? ' twice' : ''}`
  const start = readPlace(list, cursor)
  const types = kind === undefined ? undefined : await typesOf(db, spaceId, kind)
  if (types?.length === 0) return { files: [], next_cursor: null }
  const wanted = { count: limit + 1, start, slices: slicesPerPage, types, isTwice: duplicates }
  const { rows, end } = await readHighest(db, spaceId, actor.userId, 'size', wanted)
  const shown = rows.slice(0, limit).map(row => addStanding(row, ownStanding))
  const { items: page, read } = await presentItems(db, actor, shown)
  // The items may take more than an answer has room for, so the page may end earlier.
  const next = rows[read]
  const files = duplicates ? besideEqual(page, rows) : page
  return { files, next_cursor: cursorAt(list, next === undefined ? end : placeOf('size', next)) }
}
