/** A few numbers that the server remembers across restarts; all processes on one database share them. */

import type { Database } from './database.ts'
import { isTaken } from './failures.ts'
import { forUpdate } from './for-update.ts'

/**
 * `alive_at`: when a server last noted that it runs (ms, UTC). `purge_hold`: ms of running time for which the purge is
 * still on hold. `store_id` and `store_sweeps`: identify the blob store that belongs to the database.
 * `secret_mark`: identifies the server's secret. `least_schema`: the number of the last migration that a program must know
 * to work on the tables (migrations-table.ts).
 */
type StateKey = 'alive_at' | 'purge_hold' | 'store_id' | 'store_sweeps' | 'secret_mark' | 'least_schema'

const readQuery = 'SELECT value FROM server_state WHERE `key` = $1'

export async function readState(db: Database, key: StateKey): Promise<number | undefined> {
  return (await db.row<{ value: number }>(readQuery, [key]))?.value
}

/** Like `readState`, inside a touch or write; locks the row, so that no other process changes it until the commit. */
export async function lockState(db: Database, key: StateKey): Promise<number | undefined> {
  const lock = forUpdate(db)
  return (await db.row<{ value: number }>(`${readQuery} ${lock}`, [key]))?.value
}

/** Saves a whole number under a key, inside a touch or write. */
export async function saveState(db: Database, key: StateKey, value: number): Promise<void> {
  const whole = Math.round(value)
  const changed = await db.change('UPDATE server_state SET value = $1 WHERE `key` = $2', [whole, key])
  if (changed === 1) return
  try {
    await db.change('INSERT INTO server_state (`key`, value) VALUES ($1, $2)', [key, whole])
  } catch (error) {
    // Another process that is starting inserted the row first; its value is just as good.
    if (!isTaken(error)) throw error
  }
}

/** Forgets the number under a key, inside a touch or write. */
export const forgetState = (db: Database, key: StateKey): Promise<number> =>
  db.change('DELETE FROM server_state WHERE `key` = $1', [key])
