/** The folders that items leave, as the events tell. */
import type { ChangeEvent } from '../api/events.ts'

/** The actions after which an item is not where it was, and the detail that names the folder which it left. */
export const leaving: Readonly<Record<string, string>> = { 'file.move': 'from', 'file.trash': 'parent_id' }

/** The folder that an item has left by an event; null for none, and for the root of a space. */
export function leftBy({ action, detail }: ChangeEvent): number | null {
  const name = leaving[action]
  const id = name === undefined ? null : detail?.[name]
  return typeof id === 'number' ? id : null
}
