/** Checks that each item is in the space of its folder. A repair must give nobody what is another's. */
import type { Database } from '../../db/database.ts'
import { lockSpaces } from '../../db/lock-space.ts'
import { readPages } from '../../db/read-on.ts'
import { systemActor } from '../../db/write-actor.ts'
import { checkSpacesOfFiles } from './database.ts'
import type { Check } from './finding.ts'
import { giveBack, moveToRoot } from './item-repairs.ts'
import { type CheckedItem, findCheckedItem, findProblems, isReadable, problemDetails } from './item-rows.ts'
import { nameItem } from './names.ts'
import { findMistake, type Mistake } from './place-evidence.ts'

const problem = 'parent-in-another-space'

/**
 * Whether items are being transferred out of a space (files/transfer.ts), or the transfer was interrupted; a job goes on
 * with it (files/abandoned-transfers.ts).
 */
export const isHandedOver = async (db: Database, spaceId: number | null): Promise<boolean> =>
  (await db.row(
    `SELECT s.id FROM spaces s JOIN files f ON f.id = s.transfer_folder_id AND f.space_id = s.id
     WHERE s.id = $1 AND f.owner_id <> s.owner_id`,
    [spaceId],
  )) !== undefined

/** An item that is in another space than its neighbours, which are in `home`. */
interface Astray {
  item: CheckedItem
  home: number
  mistake: Mistake | null
}

async function findAstray(db: Database, id: number): Promise<CheckedItem | undefined> {
  const item = await findCheckedItem(db, id)
  return item !== undefined && isReadable(item) && findProblems(item).includes(problem) ? item : undefined
}

/** How many items are in a folder; 0 if some are in another space than the given one. */
async function countAllIn(db: Database, folderId: number, spaceId: number): Promise<number> {
  const rows = await db.rows<{ space_id: number; items: number }>(
    'SELECT space_id, COUNT(*) AS items FROM files WHERE parent_id = $1 GROUP BY space_id',
    [folderId],
  )
  const [first, ...others] = rows
  return first?.space_id === spaceId && others.length === 0 ? first.items : 0
}

/**
 * The folder of an item if rather the folder is in a wrong space: its own folder says so, or all that is in it and the
 * sums; without these nobody knows, unless it is one item, which may have a wrong folder.
 */
async function findFolderAstray(db: Database, { item, mistake: ofItem }: Astray): Promise<Astray | undefined> {
  const { parent_id, space_id } = item
  const folder = await findCheckedItem(db, parent_id ?? 0)
  if (folder === undefined || !isReadable(folder)) return undefined
  const isBetween = folder.parent_space === space_id
  const items = folder.parent_id === null ? await countAllIn(db, folder.id, space_id) : 0
  if (!isBetween && items === 0) return undefined
  const mistake = await findMistake(db, folder, space_id)
  const isUnknown = items > 1 && ofItem === null
  return isBetween || isUnknown || mistake === 'space' ? { item: folder, home: space_id, mistake } : undefined
}

async function judge(db: Database, id: number): Promise<Astray | undefined> {
  const item = await findAstray(db, id)
  if (item?.parent_space == null || (await isHandedOver(db, item.parent_space))) return undefined
  const home = item.parent_space
  const found = { item, home, mistake: await findMistake(db, item, home) }
  return (await findFolderAstray(db, found)) ?? found
}

const mend = (db: Database, id: number, found: Astray): Promise<boolean> =>
  db.write(systemActor, async record => {
    record.nothing()
    await lockSpaces(db, [found.item.space_id, found.home])
    const current = await judge(db, id)
    const isSame =
      current?.item.id === found.item.id &&
      current.item.space_id === found.item.space_id &&
      current.home === found.home &&
      current.mistake === found.mistake
    if (current === undefined || !isSame) return false
    if (current.mistake === 'space') await giveBack(db, current.item, current.home, record)
    else await moveToRoot(db, current.item, record)
    return true
  })

function detailOf({ item, home, mistake }: Astray): string {
  const base = item.parent_id === null ? 'all that is in it is of another storage' : problemDetails[problem]
  if (mistake === null) return `${base}, and nobody knows whose it is`
  return mistake === 'space' ? `${base}: it belongs to space ${home}` : base
}

async function reportAstray(check: Check, id: number, found: Astray): Promise<void> {
  const { deps, disputed, report, unsettled } = check
  const { db } = deps
  const { item, home } = found
  // Who sees what is at the top of a space depends on what that is.
  const mistake = disputed.has(item.space_id) || disputed.has(home) ? null : found.mistake
  const finding = {
    verdict: mistake === null ? 'lost' : 'repairable',
    problem,
    name: `${await nameItem(db, item.id)} (id:${item.id})`,
    detail: detailOf({ ...found, mistake }),
    file_id: item.id,
    blob_id: item.blob_id,
    space_id: item.space_id,
  } as const
  let isOver = mistake === 'folder'
  const repair = async () => {
    const isMended = await mend(db, id, found)
    isOver = true
    return isMended
  }
  await report(finding, mistake === null ? undefined : repair)
  if (!isOver) for (const space of [item.space_id, home]) unsettled.add(space)
}

const pageSize = 1000
const astray = `SELECT f.id FROM files f JOIN files p ON p.id = f.parent_id
  WHERE f.space_id <> p.space_id AND p.is_directory = 1 AND f.id > $1 ORDER BY f.id LIMIT ${pageSize}`

/** Call it before what depends on an item's space: shares, links, team folders and counters. */
export async function checkPlaces(check: Check): Promise<void> {
  const { db } = check.deps
  const told = new Set<number>()
  const pages = readPages<{ id: number }>(db, {
    read: ([after]) => db.rows(astray, [Number(after)]),
    keyOf: ({ id }) => [id],
    start: [0],
    size: pageSize,
  })
  for await (const page of pages) {
    for (const { id } of page) {
      check.signal.throwIfAborted()
      const found = await db.snapshot(() => judge(db, id))
      if (found === undefined || told.has(found.item.id)) continue
      told.add(found.item.id)
      await reportAstray(check, id, found)
    }
  }
  await checkSpacesOfFiles(check)
}
