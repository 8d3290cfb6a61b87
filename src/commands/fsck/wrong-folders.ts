/**
 * Finds an item with the number of another folder of its storage. What folders count tells: its own one counts an item
 * more than it has, and the one it is in counts one less.
 */
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import type { Recorder } from '../../db/recorder.ts'
import { systemActor } from '../../db/write-actor.ts'
import { findFreeName } from '../../files/free-name.ts'
import { nameColumns } from '../../files/item-name.ts'
import type { Check } from './finding.ts'
import { type FolderDrift, findFolderDrifts, sumOf } from './folder-drifts.ts'
import { type Candidate, findCandidates, isFolderOf } from './folder-evidence.ts'
import { findCheckedItem } from './item-rows.ts'
import { nameFolder, nameItem } from './names.ts'
import { readSpaces } from './spaces.ts'
import { findTop } from './teams.ts'

/** An item of the folder `from` that belongs to the folder `to`; both are 0 for the top. */
interface Misplaced {
  id: number
  from: number
  to: number
}

/** A folder with items of other ones, and how many of its items these may be. */
interface Unclear {
  folder: FolderDrift
  choices: number
}

interface Judged {
  clear: Misplaced[]
  unclear: Unclear[]
}

const nothing: Judged = { clear: [], unclear: [] }

/** Which items of a folder that has too many belong to others; null: nobody knows which. */
function choose(from: FolderDrift, homes: readonly FolderDrift[], found: readonly Candidate[]): Misplaced[] | null {
  const wanted = -from.items
  // The counts alone may be those of an earlier moment, and the other folder may be open to more people.
  const noted = found.filter(({ notedIn }) => homes.some(({ folder_id }) => folder_id === notedIn))
  if (noted.length !== wanted) return null
  return noted.map(({ id, notedIn }) => ({ id, from: from.folder_id, to: Number(notedIn) }))
}

/** Whether each folder that lacks items gets as many as it lacks. */
const fits = (moves: readonly Misplaced[], homes: readonly FolderDrift[]): boolean =>
  homes.every(({ folder_id, items }) => moves.filter(({ to }) => to === folder_id).length === items)

/** Judges the folders of one kind of items, where as many are lacking as are too many. */
async function judgeKind(db: Database, spaceId: number, drifts: readonly FolderDrift[]): Promise<Judged> {
  if (drifts.length === 0 || sumOf(drifts) !== 0) return nothing
  const homes = drifts.filter(({ items }) => items > 0)
  for (const { folder_id } of homes) if (!(await isFolderOf(db, spaceId, folder_id))) return nothing
  const judged: Judged = { clear: [], unclear: [] }
  const asked: Unclear[] = []
  for (const folder of drifts.filter(({ items }) => items < 0)) {
    const found = await findCandidates(db, spaceId, folder, homes)
    const chosen = choose(folder, homes, found)
    const choices = found.filter(({ notedIn }) => notedIn !== folder.folder_id).length
    asked.push({ folder, choices })
    if (chosen !== null) judged.clear.push(...chosen)
    // Where all its items were put into it, the count is wrong.
    else if (choices > 0) judged.unclear.push({ folder, choices })
  }
  const isDone = judged.unclear.length > 0 || judged.clear.length === 0 || fits(judged.clear, homes)
  return isDone ? judged : { clear: [], unclear: asked }
}

/** Nothing but the team folder is at the top of a team's storage. */
const mayBeAtTop = async (db: Database, spaceId: number): Promise<boolean> => {
  const team = await db.row("SELECT id FROM spaces WHERE id = $1 AND kind = 'team'", [spaceId])
  return team === undefined || (await findTop(db, spaceId)).length === 0
}

async function judge(db: Database, spaceId: number): Promise<Judged> {
  const drifts = await findFolderDrifts(db, spaceId)
  const isTopLacking = drifts.some(({ folder_id, items }) => folder_id === 0 && items > 0)
  if (isTopLacking && !(await mayBeAtTop(db, spaceId))) return nothing
  const files = await judgeKind(
    db,
    spaceId,
    drifts.filter(({ is_directory }) => is_directory === 0),
  )
  const folders = await judgeKind(
    db,
    spaceId,
    drifts.filter(({ is_directory }) => is_directory === 1),
  )
  return { clear: [...folders.clear, ...files.clear], unclear: [...folders.unclear, ...files.unclear] }
}

const idOf = (folderId: number): number | null => (folderId === 0 ? null : folderId)

/** Puts the item back under a free name. The triggers count it as a move, which it is not for what folders count. */
async function putBack(db: Database, spaceId: number, { id, from, to }: Misplaced, record: Recorder): Promise<void> {
  const row = await findCheckedItem(db, id)
  if (row === undefined) return
  const isDirectory = row.is_directory === 1
  const free = row.deleted_at === null ? await findFreeName(db, spaceId, idOf(to), row.name, isDirectory) : row.name
  const renamed = free === row.name ? {} : nameColumns(free, isDirectory)
  await db.update(db.files, { parent_id: idOf(to), ...renamed }, id)
  const count = `UPDATE folder_counts SET items = items + $1 WHERE space_id = $2 AND folder_id = $3 AND is_directory = $4`
  await db.change(count, [-1, spaceId, to, row.is_directory])
  await db.change(count, [1, spaceId, from, row.is_directory])
  record('file.move', { id, spaceId }, { from: idOf(from), to: idOf(to) })
  if (free !== row.name) record('file.rename', { id, spaceId }, { from: row.name, to: free })
}

async function mend(db: Database, spaceId: number, found: Misplaced, record: Recorder): Promise<boolean> {
  record.nothing()
  await lockSpace(db, spaceId)
  const { clear } = await judge(db, spaceId)
  if (!clear.some(({ id, from, to }) => id === found.id && from === found.from && to === found.to)) return false
  await putBack(db, spaceId, found, record)
  return true
}

async function reportMisplaced(check: Check, spaceId: number, found: Misplaced): Promise<void> {
  const { db } = check.deps
  const { id, to } = found
  const finding = {
    verdict: 'repairable',
    problem: 'wrong-folder',
    name: `${await nameItem(db, id)} (id:${id})`,
    detail: `its folder counts one item less, and another one lacks just it: it belongs to ${await nameFolder(db, spaceId, to)}`,
    file_id: id,
    space_id: spaceId,
  } as const
  let isOver = false
  const repair = async () => {
    isOver = await db.write(systemActor, record => mend(db, spaceId, found, record))
    return isOver
  }
  await check.report(finding, repair)
  if (!isOver) check.kept.add(spaceId)
}

async function reportUnclear(check: Check, spaceId: number, { folder, choices }: Unclear): Promise<void> {
  const { db } = check.deps
  const { folder_id, is_directory, items } = folder
  const kind = is_directory === 1 ? 'folders' : 'files'
  await check.report({
    verdict: 'lost',
    problem: 'wrong-folder',
    name: await nameFolder(db, spaceId, folder_id),
    detail: `${-items} of ${choices} ${kind} in it belong to another folder of the storage, and nobody knows which`,
    file_id: idOf(folder_id),
    space_id: spaceId,
  })
  check.kept.add(spaceId)
}

/** Call it before what puts items with a wrong folder to the top, and before the counters are corrected. */
export async function checkFolders(check: Check): Promise<void> {
  // With a damaged index, rows are there that are not found.
  if (check.areCountsStale || check.isDamaged()) return
  const { db } = check.deps
  for await (const { id } of readSpaces(check)) {
    const { clear, unclear } = await db.snapshot(() => judge(db, id))
    for (const found of clear) await reportMisplaced(check, id, found)
    if (check.options.acceptLost) continue
    for (const found of unclear) await reportUnclear(check, id, found)
  }
}
