/** Repairs rows of files and folders, each in a write that checks the problem again. */
import { isLive } from '../../access/policy.ts'
import { usableName } from '../../api/names.ts'
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import type { Recorder } from '../../db/recorder.ts'
import { systemActor } from '../../db/write-actor.ts'
import { findFreeName } from '../../files/free-name.ts'
import { nameColumns } from '../../files/item-name.ts'
import { type CheckedItem, findCheckedItem, findProblems, type ItemProblem, parentTrashRoot } from './item-rows.ts'
import { findTeamFolder, findTop } from './teams.ts'

type RepairItem = (db: Database, item: CheckedItem, record: Recorder) => Promise<unknown>

const set = (db: Database, id: number, columns: object): Promise<unknown> => db.update(db.files, columns, id)

/** Where the top of the item's space is: in the team folder, or null in a personal space. */
async function findTopOf(db: Database, { id, space_id, space_kind }: CheckedItem): Promise<number | null> {
  if (space_kind !== 'team') return null
  const others = (await findTop(db, space_id)).filter(row => row.id !== id)
  return (await findTeamFolder(db, space_id, others)) ?? null
}

/** Moves an item to the top of its space, which for a team is its folder; a live one gets a free name. */
export const moveToRoot: RepairItem = async (db, item, record) => {
  const { id, space_id, space_owner, space_kind, owner_id, parent_id, name } = item
  const { is_directory, deleted_at, trash_root_id, root_deleted_at } = item
  if (!isLive({ deleted_at, trash_root_id })) {
    // Away from the tree with which it was trashed, it is listed by itself. An unlisted one stays so.
    const root = trash_root_id === null ? null : id
    return set(db, id, {
      parent_id: null,
      deleted_at: deleted_at ?? root_deleted_at ?? Date.now(),
      trash_root_id: root,
    })
  }
  const isDirectory = is_directory === 1
  const to = await findTopOf(db, item)
  const free = await findFreeName(db, space_id, to, name, isDirectory)
  const renamed = free === name ? {} : nameColumns(free, isDirectory)
  // A folder at the top of a personal space belongs to its owner.
  const owner = isDirectory && space_kind === 'personal' ? { owner_id: space_owner ?? owner_id } : {}
  await set(db, id, { ...renamed, ...owner, parent_id: to, updated_at: Date.now() })
  record('file.move', { id, spaceId: space_id }, { from: parent_id, to })
  if (free !== name) record('file.rename', { id, spaceId: space_id }, { from: name, to: free })
}

/** Puts an item back into its space, under a free name. All that belongs to it is still there. */
export async function giveBack(db: Database, item: CheckedItem, home: number, record: Recorder): Promise<void> {
  const { id, parent_id, name, deleted_at } = item
  const isDirectory = item.is_directory === 1
  const free = deleted_at === null ? await findFreeName(db, home, parent_id, name, isDirectory) : name
  const renamed = free === name ? {} : nameColumns(free, isDirectory)
  await set(db, id, { space_id: home, ...renamed })
  record('file.repair', { id, spaceId: home }, { name: free, columns: ['space_id', ...Object.keys(renamed)] })
}

/** Corrects columns; the event says only that the item was repaired. */
const correct =
  (columnsOf: (item: CheckedItem) => object): RepairItem =>
  async (db, item, record) => {
    await set(db, item.id, columnsOf(item))
    record('file.repair', { id: item.id, spaceId: item.space_id }, { name: item.name })
  }

/**
 * Gives an item that was trashed with its folder the trash root of that; if that does not apply, the trash lists the item
 * itself.
 */
const listInTrash: RepairItem = async (db, item, record) => {
  const { id, space_id, name } = item
  const around = parentTrashRoot(item)
  const isAlong = item.deleted_at === null && item.trash_root_id !== null
  const root = isAlong && around !== item.trash_root_id ? around : null
  if (root !== null) return set(db, id, { trash_root_id: root })
  await set(db, id, { trash_root_id: id, deleted_at: item.deleted_at ?? Date.now() })
  record('file.trash', { id, spaceId: space_id }, { name })
}

/** Makes an item live again. It is trashed first, because the type counters ignore a change of trash_root_id alone. */
const revive: RepairItem = async (db, item, record) => {
  await set(db, item.id, { deleted_at: Date.now() })
  await set(db, item.id, { deleted_at: null, trash_root_id: null })
  record('file.repair', { id: item.id, spaceId: item.space_id }, { name: item.name })
}

/** Gives the item the nearest valid name that is free in its folder. */
const rename: RepairItem = async (db, item, record) => {
  const { id, space_id, parent_id, deleted_at } = item
  const isDirectory = item.is_directory === 1
  const wanted = usableName(item.name)
  const name = deleted_at === null ? await findFreeName(db, space_id, parent_id, wanted, isDirectory) : wanted
  await set(db, id, { ...nameColumns(name, isDirectory), updated_at: Date.now() })
  record('file.rename', { id, spaceId: space_id }, { from: item.name, to: name })
}

/** Problems without an entry are repaired elsewhere: unknown-content.ts, places.ts. */
const repairs: Partial<Record<ItemProblem, RepairItem>> = {
  'foreign-owner': correct(item => ({ owner_id: item.space_owner })),
  // Nobody but reviewers sees what may have been held for the one who is gone.
  'owner-missing': correct(item => ({ owner_id: item.space_owner, received_by: -1 })),
  'name-unusable': rename,
  'name-columns': correct(({ name, is_directory }) => nameColumns(name, is_directory === 1)),
  'parent-missing': moveToRoot,
  'parent-no-folder': moveToRoot,
  'parent-trashed': moveToRoot,
  'trash-mark': revive,
  'trash-root': listInTrash,
  unlisted: listInTrash,
}

/** Whether a repair gives an item to the owner of its space, or to the members of a team. */
export const givesAway = ({ is_directory, space_kind }: CheckedItem, problem: ItemProblem): boolean =>
  problem === 'owner-missing' || (repairs[problem] === moveToRoot && (is_directory === 1 || space_kind === 'team'))

/** Repairs an item that still has a problem; returns whether it had. */
export const repairItem = (
  db: Database,
  item: CheckedItem,
  problem: ItemProblem,
  repair: RepairItem,
): Promise<boolean> =>
  db.write(systemActor, async record => {
    record.nothing()
    await lockSpace(db, item.space_id)
    const current = await findCheckedItem(db, item.id)
    if (current?.space_id !== item.space_id || !findProblems(current).includes(problem)) return false
    await repair(db, current, record)
    return true
  })

/** The repair of an item's problem; undefined for a loss. */
export function repairOf(db: Database, item: CheckedItem, problem: ItemProblem): (() => Promise<boolean>) | undefined {
  const repair = repairs[problem]
  return repair === undefined ? undefined : () => repairItem(db, item, problem, repair)
}
