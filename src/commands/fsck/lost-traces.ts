/** What events still tell of items whose rows are gone, and that nobody has deleted for good. */
import type { Database } from '../../db/database.ts'
import { eventDetail } from '../../db/models/events.ts'
import { parseStored } from '../../db/stored-json.ts'

export interface Trace {
  id: number
  /** Its last known name. */
  name: string
}

interface EventOfItem {
  item_id: number
  detail: string | null
}

/** The most traces that a finding names; with more, nothing is named. */
const mostTraces = 5

/** Of `events e`, those of an item without a row, that was not deleted. */
const isGone = `e.item_id NOT IN (SELECT id FROM files)
  AND NOT EXISTS (SELECT 1 FROM events d WHERE d.item_id = e.item_id AND d.action = 'file.delete')`

const detailOf = ({ detail }: Pick<EventOfItem, 'detail'>) => parseStored(eventDetail.schema, detail ?? 'null') ?? {}

async function findName(db: Database, event: EventOfItem): Promise<string> {
  const renamed = await db.row<EventOfItem>(
    `SELECT item_id, detail FROM events WHERE item_id = $1 AND action = 'file.rename' ORDER BY id DESC LIMIT 1`,
    [event.item_id],
  )
  return String((renamed === undefined ? undefined : detailOf(renamed).to) ?? detailOf(event).name)
}

async function nameAll(db: Database, events: readonly EventOfItem[]): Promise<Trace[]> {
  const byId = new Map(events.map(event => [event.item_id, event]))
  if (byId.size > mostTraces) return []
  const traces: Trace[] = []
  for (const [id, event] of byId) traces.push({ id, name: await findName(db, event) })
  return traces
}

/** What is known of a lost item: a file's size, or the folder in which a folder was made. */
type Known = { size: number | undefined } | { folderId: number }

/** The items of a space that may be a lost one; none if too many may. What was deleted with its folder is among them. */
export async function findTraces(db: Database, spaceId: number, known: Known): Promise<Trace[]> {
  if ('size' in known && known.size === undefined) return []
  const [key, value, actions] =
    'size' in known
      ? ['size', known.size, "'file.upload', 'file.replace'"]
      : ['parent_id', known.folderId === 0 ? null : known.folderId, "'folder.create', 'file.copy'"]
  const rows = await db.rows<EventOfItem>(
    `SELECT e.item_id, e.detail FROM events e WHERE e.space_id = $1 AND e.action IN (${actions})
       AND e.detail LIKE $2 AND ${isGone} ORDER BY e.id LIMIT 100`,
    [spaceId, `%"${key}":${value}%`],
  )
  return nameAll(
    db,
    rows.filter(row => detailOf(row)[key as string] === value),
  )
}

/** The items of a space that were put into the trash and not restored; none if these are more than it lacks. */
export async function findTrashed(db: Database, spaceId: number, most: number): Promise<Trace[]> {
  const rows = await db.rows<EventOfItem>(
    `SELECT e.item_id, e.detail FROM events e WHERE e.space_id = $1 AND e.action = 'file.trash' AND ${isGone}
       AND NOT EXISTS (SELECT 1 FROM events r WHERE r.item_id = e.item_id AND r.action = 'file.restore' AND r.id > e.id)
     ORDER BY e.id LIMIT ${mostTraces + 1}`,
    [spaceId],
  )
  const traces = await nameAll(db, rows)
  return traces.length <= most ? traces : []
}
