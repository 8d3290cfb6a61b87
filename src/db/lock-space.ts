/** The lock of a space. Every write that changes its tree, or what its listings show, takes it first. */
import type { Database } from './database.ts'

/** Locks the space's row until the commit, so that what the write reads after it does not change. */
export const lockSpace = (db: Database, spaceId: number): Promise<void> =>
  db.lock({ table: 'spaces', column: 'id', value: spaceId })

/** Locks several spaces, in the order of their ids like most writes that lock more than one. */
export async function lockSpaces(db: Database, spaceIds: readonly number[]): Promise<void> {
  for (const id of [...new Set(spaceIds)].sort((one, other) => one - other)) await lockSpace(db, id)
}
