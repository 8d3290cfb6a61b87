/** Checks that each folder's path to the root ends, and is no longer than the nesting limit. */
import { isLive } from '../../access/policy.ts'
import { maxTreeDepth } from '../../api/limits.ts'
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import { isOneOf, valuesAtOnce } from '../../db/values.ts'
import { systemActor } from '../../db/write-actor.ts'
import { type Check, isUnclear } from './finding.ts'
import { moveToRoot } from './item-repairs.ts'
import { findCheckedItem } from './item-rows.ts'
import { nameOutOfTree } from './names.ts'

/** The folders whose path exceeds the nesting limit; a cycle never ends. */
async function findLong(db: Database, ids: readonly number[]): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    `WITH RECURSIVE up (id, parent_id, level) AS (
       SELECT id, parent_id, 1 FROM files WHERE ${isOneOf('id', ids)}
       UNION ALL
       SELECT up.id, f.parent_id, up.level + 1 FROM up JOIN files f ON f.id = up.parent_id
         WHERE up.level <= ${maxTreeDepth})
     SELECT id FROM up GROUP BY id HAVING MAX(level) > ${maxTreeDepth}`,
    ids,
  )
  return rows.map(({ id }) => id)
}

interface StepRow {
  id: number
  parent_id: number | null
  deleted_at: number | null
  trash_root_id: number | null
}

type PathProblem = 'cycle' | 'too-deep'

/** The problem with a folder's path, read in one statement. Of a cycle only the oldest folder is reported. */
async function findPathProblem(db: Database, id: number): Promise<PathProblem | null> {
  const rows = await db.rows<StepRow>(
    `WITH RECURSIVE up (id, parent_id, deleted_at, trash_root_id) AS (
       SELECT id, parent_id, deleted_at, trash_root_id FROM files WHERE ${isOneOf('id', [id])}
       UNION
       SELECT f.id, f.parent_id, f.deleted_at, f.trash_root_id FROM up JOIN files f ON f.id = up.parent_id)
     SELECT id, parent_id, deleted_at, trash_root_id FROM up`,
    [id],
  )
  const steps = new Map(rows.map(row => [row.id, row]))
  const path: StepRow[] = []
  for (let at = steps.get(id); at !== undefined && !path.includes(at); at = steps.get(at.parent_id ?? 0)) path.push(at)
  const last = path.at(-1)
  if (last?.parent_id === id) return path.every(step => step.id >= id) ? 'cycle' : null
  // The folders below it move along to the root. Trashed ones get checked when they are restored.
  return path.every(isLive) && path.length === maxTreeDepth + 1 && last?.parent_id === null ? 'too-deep' : null
}

const details: Record<PathProblem, string> = {
  cycle: 'the folders around it stand in each other, so that no list shows them',
  'too-deep': `it stands more than ${maxTreeDepth} folders deep`,
}

async function reportPath(check: Check, id: number): Promise<void> {
  const { db } = check.deps
  const problem = await findPathProblem(db, id)
  const item = problem === null ? undefined : await findCheckedItem(db, id)
  if (problem === null || item === undefined) return
  const name = `${await nameOutOfTree(db, id)} (id:${id})`
  const about = { file_id: id, space_id: item.space_id, name, detail: details[problem] }
  // At the root it would be the owner's of the space, and that may be the wrong one.
  if (isUnclear(check, item.space_id)) return check.report({ verdict: 'lost', problem, ...about })
  await check.report({ verdict: 'repairable', problem, ...about }, () =>
    db.write(systemActor, async record => {
      record.nothing()
      await lockSpace(db, item.space_id)
      const current = await findCheckedItem(db, id)
      if (current?.space_id !== item.space_id || (await findPathProblem(db, id)) !== problem) return false
      await moveToRoot(db, current, record)
      return true
    }),
  )
}

export async function checkFolderPaths(check: Check, folderIds: readonly number[]): Promise<void> {
  const { db } = check.deps
  for (let start = 0; start < folderIds.length; start += valuesAtOnce) {
    for (const id of await findLong(db, folderIds.slice(start, start + valuesAtOnce))) await reportPath(check, id)
  }
}
