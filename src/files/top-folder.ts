/** Folders at the top of a personal space belong to its owner, whoever made them in a folder further down. */
import type { Actor } from '../access/actor.ts'
import type { ItemRow } from './item-row.ts'

/** The owner of an item that comes to a folder (null: the top of the actor's own space). */
export const ownerAt = ({ userId }: Actor, item: ItemRow, parentId: number | null): { owner_id?: number } =>
  parentId === null && item.is_directory === 1 ? { owner_id: userId } : {}
