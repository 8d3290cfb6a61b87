/**
 * A simple model of who reads and changes what: it walks up the parents of the rows as they are, and knows the shares
 * that a test has given. It uses none of the product's code.
 */
import type { TestServer } from './test-server.ts'

export type GivenLevel = 'view' | 'upload' | 'edit'

/** A row of `files`, as far as access depends on it. */
export interface TreeItem {
  id: number
  parentId: number | null
  spaceId: number
  isFolder: boolean
  name: string
  /** Who sent it. */
  ownerId: number
  isHandIn: boolean
  /** What is trashed with it, or before it; null if it is live. */
  trashRoot: number | null
}

export interface GivenShare {
  id: number
  itemId: number
  level: GivenLevel | 'manage'
  /** Who has it now: one user, or the members of a group. */
  users: ReadonlySet<number>
}

/** Who asks: a user, by a session or by a key for one folder. */
export interface Asker {
  userId: number
  scopeId: number | null
}

/** The personal spaces' owners; a team's space has none. */
export type Owners = ReadonlyMap<number, number>

export interface Abilities {
  see: boolean
  add: boolean
  change: boolean
  manage: boolean
}

export type Tree = ReadonlyMap<number, TreeItem>

export async function readTree({ deps: { db } }: TestServer, spaceIds: readonly number[]): Promise<Tree> {
  const rows = await db.rows<{
    id: number
    parent_id: number | null
    space_id: number
    is_directory: 0 | 1
    name: string
    owner_id: number
    received_by: number | null
    trash_root_id: number | null
    deleted_at: number | null
  }>(`SELECT id, parent_id, space_id, is_directory, name, owner_id, received_by, trash_root_id, deleted_at FROM files
      WHERE space_id IN (${spaceIds.join(', ')}) ORDER BY id`)
  return new Map(
    rows.map(row => [
      row.id,
      {
        id: row.id,
        parentId: row.parent_id,
        spaceId: row.space_id,
        isFolder: row.is_directory === 1,
        name: row.name,
        ownerId: row.owner_id,
        isHandIn: row.received_by === 0,
        trashRoot: row.trash_root_id ?? (row.deleted_at === null ? null : row.id),
      },
    ]),
  )
}

/** An item and what is above it, from the item up. */
function wayOf(tree: Tree, item: TreeItem): TreeItem[] {
  const way: TreeItem[] = []
  for (let at: TreeItem | undefined = item; at !== undefined; at = tree.get(at.parentId ?? 0)) way.push(at)
  return way
}

const levelAbilities: Record<GivenShare['level'], Abilities> = {
  view: { see: true, add: false, change: false, manage: false },
  upload: { see: false, add: true, change: false, manage: false },
  edit: { see: true, add: true, change: true, manage: false },
  manage: { see: true, add: true, change: true, manage: true },
}
const none: Abilities = { see: false, add: false, change: false, manage: false }
const all = levelAbilities.manage

export interface Model {
  tree: Tree
  shares: readonly GivenShare[]
  owners: Owners
}

/** What somebody may do with an item (`from` 0), or in the folder above it (`from` 1). */
export function abilitiesOn({ tree, shares, owners }: Model, { userId, scopeId }: Asker, item: TreeItem, from: 0 | 1) {
  const way = wayOf(tree, item)
  if (scopeId !== null && !way.some(({ id }) => id === scopeId)) return none
  if (from === 1 && item.id === scopeId) return none
  if (owners.get(item.spaceId) === userId) return all
  const counting = way.flatMap(({ id }, distance) =>
    shares.filter(share => {
      if (share.itemId !== id || !share.users.has(userId) || distance < from) return false
      return share.level !== 'upload' || distance === 0 || (distance === 1 && !item.isFolder)
    }),
  )
  return counting.reduce<Abilities>((sum, { level }) => {
    const more = levelAbilities[level]
    return {
      see: sum.see || more.see,
      add: sum.add || more.add,
      change: sum.change || more.change,
      manage: sum.manage || more.manage,
    }
  }, none)
}

/** Whether an item exists for somebody, live or in the trash. */
export function isThere(model: Model, asker: Asker, item: TreeItem): boolean {
  const here = abilitiesOn(model, asker, item, 0)
  if (item.trashRoot !== null && !abilitiesOn(model, asker, item, 1).change) return false
  if (here.see) return true
  return here.add && (item.isFolder || (item.isHandIn && item.ownerId === asker.userId))
}

export const isRead = (model: Model, asker: Asker, item: TreeItem): boolean =>
  item.trashRoot === null && isThere(model, asker, item)

/** Whether an item is another one or below it. */
export const isBelow = (tree: Tree, item: TreeItem, id: number): boolean => wayOf(tree, item).some(one => one.id === id)
