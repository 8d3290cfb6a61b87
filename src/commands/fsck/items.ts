/** Checks every row of files: its content's row and size, its name's columns, its place in the tree and in the trash. */
import type { Database } from '../../db/database.ts'
import { treeLease } from '../../files/delete/tree.ts'
import type { Check } from './finding.ts'
import { repairOf } from './item-repairs.ts'
import {
  type CheckedItem,
  findChecked,
  findCheckedItem,
  findProblems,
  type ItemProblem,
  isReadable,
  problemDetails,
} from './item-rows.ts'
import { nameItem } from './names.ts'
import { idRanges } from './pages.ts'
import { checkSearchRows } from './search-index.ts'
import { checkWays } from './ways.ts'

/** Whether somebody is at work on a tree that no list shows. */
const hasLease = async (db: Database, rootId: number): Promise<boolean> =>
  (await db.row('SELECT name FROM leases WHERE name = $1', [treeLease(rootId)])) !== undefined

/**
 * Whether items are being handed over out of a space (files/transfer.ts), or were until that broke off and will be when
 * the user's deletion is asked for again: the folder that will be around them waits in its root, and is another's.
 */
const isHandedOver = async (db: Database, spaceId: number | null): Promise<boolean> =>
  (await db.row(
    `SELECT f.id FROM files f JOIN spaces s ON s.id = f.space_id
     WHERE f.space_id = $1 AND f.live_parent = 0 AND f.is_directory = 1 AND f.owner_id <> s.owner_id LIMIT 1`,
    [spaceId],
  )) !== undefined

/**
 * Whether an item is that folder: nothing of its own storage is in it, and the user whom it is named after is disabled,
 * or what is to be in it has gone ahead.
 */
async function isWaiting(db: Database, { id, space_id }: CheckedItem): Promise<boolean> {
  const folders = await db.rows<{ id: number }>(
    `SELECT f.id FROM files f JOIN spaces s ON s.id = f.space_id JOIN users u ON u.id = s.owner_id
     WHERE f.space_id = $1 AND f.live_parent = 0 AND f.is_directory = 1 AND f.owner_id <> s.owner_id
       AND NOT EXISTS (SELECT 1 FROM files c WHERE c.parent_id = f.id AND c.space_id = f.space_id)
       AND (u.is_active = 0 OR EXISTS (SELECT 1 FROM files c WHERE c.parent_id = f.id))`,
    [space_id],
  )
  return folders.some(folder => folder.id === id)
}

/** Whether a problem is a state that an act which goes on passes through. */
async function isUnderWay(db: Database, item: CheckedItem, problem: ItemProblem): Promise<boolean> {
  if (problem === 'foreign-owner') return isWaiting(db, item)
  if (problem === 'unlisted') return hasLease(db, item.id)
  if (problem === 'parent-in-another-space') return isHandedOver(db, item.parent_space)
  return problem === 'trash-root' && item.root_space !== item.space_id && isHandedOver(db, item.root_space)
}

async function reportProblem(check: Check, item: CheckedItem, problem: ItemProblem): Promise<void> {
  const { db } = check.deps
  if (await isUnderWay(db, item, problem)) return
  // What was under way ends in one write with its sign: only now is it known that there was none.
  const current = await findCheckedItem(db, item.id)
  if (current === undefined || !findProblems(current).includes(problem)) return
  const repair = repairOf(db, current, problem)
  const finding = {
    verdict: repair === undefined ? 'lost' : 'repairable',
    problem,
    name: `${await nameItem(db, item.id)} (id:${item.id})`,
    detail: problemDetails[problem],
    file_id: item.id,
    blob_id: item.blob_id,
    space_id: item.space_id,
  } as const
  await check.report(finding, repair)
}

const reportUnreadable = async ({ report }: Check, { id, name, sort_key }: CheckedItem): Promise<void> => {
  // Text that is kept as bytes can be read, and is told as a value of its row.
  if (Buffer.isBuffer(name) || Buffer.isBuffer(sort_key)) return
  const detail = 'its name, size or storage cannot be read'
  return report({ verdict: 'lost', problem: 'row-value', name: `files ${id}`, detail, file_id: id })
}

export async function checkItems(check: Check): Promise<void> {
  for await (const range of idRanges(check, 'files')) {
    const found = await findChecked(check.deps.db, range)
    check.counts.items += found.length
    for (const item of found.filter(row => !isReadable(row))) await reportUnreadable(check, item)
    const items = found.filter(isReadable)
    for (const item of items) for (const problem of findProblems(item)) await reportProblem(check, item, problem)
    await checkWays(
      check,
      items.filter(item => item.is_directory === 1).map(({ id }) => id),
    )
    await checkSearchRows(check, range)
  }
}
