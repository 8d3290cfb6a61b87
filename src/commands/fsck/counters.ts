/** Checks counters against the rows: each space's own, and those that triggers maintain. */
import { liveRow } from '../../access/policy.ts'
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import type { Recorder } from '../../db/recorder.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'
import { folderDrifts } from './folder-drifts.ts'
import { readSpaces, type Space } from './spaces.ts'
import { typeDrifts } from './type-drifts.ts'

/** One statement compares both sides, so that a concurrent write is seen in both or in neither. */
interface Counter {
  problem: string
  /** Returns a row when something differs. */
  compare: string
  detail: string
  /** The statements that correct it, run in one write. */
  correct: readonly string[]
}

/** Live and trashed items count, and so do those of running copies and deletions. */
const ownCounters: Counter = {
  problem: 'storage-counters',
  compare: `SELECT s.id FROM spaces s WHERE s.id = $1
    AND (s.storage_used <> (SELECT COALESCE(SUM(f.size), 0) FROM files f WHERE f.space_id = $1)
      OR s.item_count <> (SELECT COUNT(*) FROM files f WHERE f.space_id = $1))`,
  detail: 'the storage in use, or the number of items, is not the sum over the files',
  correct: [
    `UPDATE spaces SET storage_used = (SELECT COALESCE(SUM(f.size), 0) FROM files f WHERE f.space_id = $1),
       item_count = (SELECT COUNT(*) FROM files f WHERE f.space_id = $1) WHERE spaces.id = $1`,
  ],
}

const reservedBytes: Counter = {
  problem: 'storage-reserved',
  compare: `SELECT s.id FROM spaces s WHERE s.id = $1
    AND s.storage_reserved <> (SELECT COALESCE(SUM(u.reserved), 0) FROM uploads u WHERE u.space_id = $1)`,
  detail: 'the storage that is held free is not the sum over the unfinished uploads',
  correct: [
    `UPDATE spaces SET storage_reserved = (SELECT COALESCE(SUM(u.reserved), 0) FROM uploads u WHERE u.space_id = $1)
     WHERE spaces.id = $1`,
  ],
}

const folderCounts: Counter = {
  problem: 'folder-counts',
  compare: `${folderDrifts} LIMIT 1`,
  detail: 'what is kept on how many items its folders hold is not so',
  correct: [
    'DELETE FROM folder_counts WHERE space_id = $1',
    `INSERT INTO folder_counts (space_id, folder_id, is_directory, items)
       SELECT space_id, COALESCE(parent_id, 0), is_directory, COUNT(*) FROM files
       WHERE space_id = $1 AND deleted_at IS NULL GROUP BY space_id, COALESCE(parent_id, 0), is_directory`,
  ],
}

const typeCounts: Counter = {
  problem: 'type-counts',
  compare: typeDrifts,
  detail: 'what is kept on how many items and bytes there are of each type is not so',
  correct: [
    'DELETE FROM type_counts WHERE space_id = $1',
    `INSERT INTO type_counts (space_id, is_directory, mime_type, items, bytes)
       SELECT space_id, is_directory, COALESCE(mime_type, ''), COUNT(*), SUM(size) FROM files f
       WHERE space_id = $1 AND ${liveRow} GROUP BY space_id, is_directory, COALESCE(mime_type, '')`,
  ],
}

async function correct(db: Database, spaceId: number, counter: Counter, record: Recorder): Promise<boolean> {
  record.nothing()
  await lockSpace(db, spaceId)
  if ((await db.row(counter.compare, [spaceId])) === undefined) return false
  for (const sql of counter.correct) await db.change(sql, [spaceId])
  record('space.repair', { id: spaceId, spaceId }, { counter: counter.problem })
  return true
}

/** Whether nothing else may be left of what a counter tells. */
const isEvidence = ({ kept, unsettled }: Check, spaceId: number, counter: Counter): boolean =>
  (counter === ownCounters && unsettled.has(spaceId)) || (counter !== reservedBytes && kept.has(spaceId))

async function checkSpace(check: Check, { id, username }: Space): Promise<void> {
  const { db } = check.deps
  check.counts.spaces += 1
  for (const counter of [ownCounters, reservedBytes, folderCounts, typeCounts]) {
    check.signal.throwIfAborted()
    if (isEvidence(check, id, counter)) continue
    if ((await db.row(counter.compare, [id])) === undefined) continue
    const { problem, detail } = counter
    await check.report({ verdict: 'repairable', problem, name: username ?? `space ${id}`, detail, space_id: id }, () =>
      db.write(systemActor, record => correct(db, id, counter, record)),
    )
  }
}

export async function checkCounters(check: Check): Promise<void> {
  for await (const space of readSpaces(check)) await checkSpace(check, space)
}
