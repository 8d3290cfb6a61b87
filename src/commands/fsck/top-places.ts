/**
 * Finds an item at the top of a storage that has the number of another one. It has no folder that could tell, but the sums
 * do: its storage has more than it counts, by just the item that the other storage lacks.
 */
import type { Database } from '../../db/database.ts'
import { lockSpaces } from '../../db/lock-space.ts'
import type { Recorder } from '../../db/recorder.ts'
import { isOneOf } from '../../db/values.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'
import { giveBack } from './item-repairs.ts'
import { type CheckedItem, findCheckedItem, isReadable } from './item-rows.ts'
import { nameItem } from './names.ts'
import { findTop } from './teams.ts'

/** A space that counts one item less than it has (`items` 1), or one more (-1). */
interface Drift {
  id: number
  owner_id: number
  kind: string
  items: number
  /** The size of that item, or 0 minus it. */
  bytes: number
}

async function findDrifts(db: Database, only: readonly number[] = []): Promise<Drift[]> {
  const rows = await db.rows<Drift>(
    `SELECT s.id, s.owner_id, s.kind, COUNT(f.id) - s.item_count AS items,
       COALESCE(SUM(f.size), 0) - s.storage_used AS bytes
     FROM spaces s LEFT JOIN files f ON f.space_id = s.id ${only.length === 0 ? '' : `WHERE ${isOneOf('s.id', only)}`}
     GROUP BY s.id, s.owner_id, s.kind, s.item_count, s.storage_used HAVING items IN (-1, 1) ORDER BY s.id`,
    only,
  )
  return rows.map(row => ({ ...row, items: Number(row.items), bytes: Number(row.bytes) }))
}

/** The storage that has one item too many, and the one that lacks it. */
interface Pair {
  from: Drift
  home: Drift
}

/** Only pairs that are certain: no third storage has, or lacks, an item of the same size. */
function pairsOf(drifts: readonly Drift[]): Pair[] {
  const alike = (one: Drift) => drifts.filter(other => other.items === one.items && other.bytes === one.bytes)
  return drifts.flatMap(from => {
    if (from.items !== 1 || alike(from).length > 1) return []
    const [home, ...others] = drifts.filter(({ items, bytes }) => items === -1 && bytes === -from.bytes)
    return home === undefined || others.length > 0 ? [] : [{ from, home }]
  })
}

/** Rows that say beside an item's own that it is of its space. Its oldest event: later ones may be of the wrong space. */
const saysSpace = `SELECT f.id FROM shares r WHERE r.item_id = f.id AND r.space_id = f.space_id
  UNION ALL SELECT f.id FROM links r WHERE r.item_id = f.id AND r.space_id = f.space_id
  UNION ALL SELECT f.id FROM file_thumbnails r WHERE r.file_id = f.id AND r.space_id = f.space_id
  UNION ALL SELECT f.id FROM api_keys r WHERE r.scope_item_id = f.id AND r.scope_space_id = f.space_id
  UNION ALL SELECT f.id FROM events r WHERE r.space_id = f.space_id
    AND r.id = (SELECT MIN(e.id) FROM events e
      WHERE e.item_id = f.id AND (e.action LIKE 'file.%' OR e.action LIKE 'folder.%'))`

/** A folder at the top is its owner's, and a team folder is one itself; files at the top may be others'. */
async function mayBeOf(db: Database, item: CheckedItem, { from, home }: Pair): Promise<boolean> {
  if (home.kind === 'team') return item.is_directory === 1 && (await findTop(db, home.id)).length === 0
  const isOwners = item.owner_id === home.owner_id
  return item.is_directory === 0 || (isOwners && (from.kind === 'team' || home.owner_id !== from.owner_id))
}

/** More than these are not told apart. */
const mostCandidates = 1000

async function findCandidates(db: Database, pair: Pair): Promise<CheckedItem[]> {
  const { from } = pair
  const ids = await db.rows<{ id: number }>(
    `SELECT f.id FROM files f WHERE f.space_id = $1 AND f.parent_id IS NULL AND f.size = $2
       AND NOT EXISTS (SELECT 1 FROM files c WHERE c.parent_id = f.id) AND NOT EXISTS (${saysSpace})
     ORDER BY f.id LIMIT ${mostCandidates}`,
    [from.id, from.bytes],
  )
  const found: CheckedItem[] = []
  for (const { id } of ids) {
    const item = await findCheckedItem(db, id)
    if (item !== undefined && isReadable(item) && (await mayBeOf(db, item, pair))) found.push(item)
  }
  return found
}

async function mend(db: Database, { from, home }: Pair, id: number, record: Recorder): Promise<boolean> {
  record.nothing()
  await lockSpaces(db, [from.id, home.id])
  const [pair] = pairsOf(await findDrifts(db, [from.id, home.id]))
  const [item, ...others] = pair === undefined ? [] : await findCandidates(db, pair)
  if (item?.id !== id || others.length > 0) return false
  await giveBack(db, item, home.id, record)
  return true
}

async function reportPair({ deps: { db }, disputed, report, unsettled }: Check, pair: Pair): Promise<void> {
  const { from, home } = pair
  // Where an item can be at the top depends on what the space is.
  if (disputed.has(from.id) || disputed.has(home.id)) {
    for (const { id } of [from, home]) unsettled.add(id)
    return
  }
  const [item, ...others] = await findCandidates(db, pair)
  if (item === undefined) return
  const isClear = others.length === 0
  let isOver = false
  const repair = async () => {
    isOver = await db.write(systemActor, record => mend(db, pair, item.id, record))
    return isOver
  }
  await report(
    {
      verdict: isClear ? 'repairable' : 'lost',
      problem: 'top-in-another-space',
      name: isClear ? `${await nameItem(db, item.id)} (id:${item.id})` : `space ${from.id}`,
      detail: isClear
        ? `its storage counts one item less, and another one lacks just it: it belongs to space ${home.id}`
        : `one of ${others.length + 1} items at its top belongs to space ${home.id}, and nobody knows which`,
      file_id: isClear ? item.id : null,
      blob_id: isClear ? item.blob_id : null,
      space_id: from.id,
    },
    isClear ? repair : undefined,
  )
  if (!isOver) for (const { id } of [from, home]) unsettled.add(id)
}

/** Call it after the items with a folder are in their spaces, and before the counters are corrected. */
export async function checkTopPlaces(check: Check): Promise<void> {
  for (const pair of pairsOf(await findDrifts(check.deps.db))) {
    check.signal.throwIfAborted()
    await reportPair(check, pair)
  }
}
