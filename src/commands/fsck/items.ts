/** Checks every row of files: content and size, name columns, and its place in the tree and the trash. */
import type { Database } from '../../db/database.ts'
import { treeLease } from '../../files/delete/tree.ts'
import { type Check, isUnclear } from './finding.ts'
import { checkFolderPaths } from './folder-paths.ts'
import { givesAway, repairOf } from './item-repairs.ts'
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
import { isHandedOver } from './places.ts'
import { checkSearchRows } from './search-index.ts'
import { judgeContent } from './unknown-content.ts'

/** Whether a process is working on an unlisted tree. */
const hasLease = async (db: Database, rootId: number): Promise<boolean> =>
  (await db.row('SELECT name FROM leases WHERE name = $1', [treeLease(rootId)])) !== undefined

/** Whether an item is the folder in which they arrive, which its receiver owns. */
const isWrapper = async (db: Database, { id, space_id }: CheckedItem): Promise<boolean> =>
  (await db.row('SELECT id FROM spaces WHERE id = $1 AND transfer_folder_id = $2', [space_id, id])) !== undefined

/** Whether the problem is a normal intermediate state of a running operation. */
async function isUnderWay(db: Database, item: CheckedItem, problem: ItemProblem): Promise<boolean> {
  if (problem === 'foreign-owner') return isWrapper(db, item)
  if (problem === 'unlisted') return hasLease(db, item.id)
  return problem === 'trash-root' && item.root_space !== item.space_id && isHandedOver(db, item.root_space)
}

const judge = async (check: Check, item: CheckedItem, problem: ItemProblem) =>
  problem === 'file-without-content' || problem === 'file-size'
    ? judgeContent(check, item, problem)
    : { detail: problemDetails[problem], key: null, repair: repairOf(check.deps.db, item, problem) }

async function reportProblem(check: Check, item: CheckedItem, problem: ItemProblem): Promise<void> {
  const { db } = check.deps
  // Otherwise the repair of the folder would give it to the wrong owner of the space.
  if (problem === 'foreign-owner' && isUnclear(check, item.space_id)) return
  if (await isUnderWay(db, item, problem)) return
  // An operation and its marker end in one write. Read again: only now is it certain that there was no operation.
  const current = await findCheckedItem(db, item.id)
  if (current === undefined || !findProblems(current).includes(problem)) return
  const judged = await judge(check, current, problem)
  if (judged === null) return
  const { detail, key } = judged
  // The owner of the space may be missing as well.
  const isNobodys = problem === 'owner-missing' && current.heir === null
  const isKept = isNobodys || (isUnclear(check, item.space_id) && givesAway(current, problem))
  const repair = isKept ? undefined : judged.repair
  const finding = {
    verdict: repair === undefined ? 'lost' : 'repairable',
    problem,
    name: `${await nameItem(db, item.id)} (id:${item.id})`,
    detail,
    file_id: item.id,
    blob_id: item.blob_id,
    space_id: item.space_id,
    key,
  } as const
  await check.report(finding, repair)
}

/** Whose an item is must be known before these are repaired. */
const problemsOfPlace: readonly ItemProblem[] = ['foreign-owner', 'owner-missing', 'trash-root', 'unlisted']

/** What is to be told of an item here; places.ts tells that its folder is in another space. */
function problemsOf(item: CheckedItem): ItemProblem[] {
  const problems = findProblems(item)
  const astray = 'parent-in-another-space'
  return problems.includes(astray)
    ? problems.filter(problem => problem !== astray && !problemsOfPlace.includes(problem))
    : problems
}

const reportUnreadable = async ({ report }: Check, { id, name, sort_key }: CheckedItem): Promise<void> => {
  // Text stored as bytes is readable; the check of rows reports it.
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
    for (const item of items) for (const problem of problemsOf(item)) await reportProblem(check, item, problem)
    await checkFolderPaths(
      check,
      items.filter(item => item.is_directory === 1).map(({ id }) => id),
    )
    await checkSearchRows(check, range)
  }
}
