/**
 * Leases: which process has a job that only one may do, until when, and which jobs a dead process left unfinished. The
 * times are the database's, so a machine whose clock is wrong neither loses its leases nor takes those of others.
 */
import { randomUUID } from 'node:crypto'
import { hour, minute } from '../base/clock.ts'
import type { Database } from './database.ts'
import { sqlNow } from './database-time.ts'
import { isTaken } from './failures.ts'

/** ms after which a lease expires if it is not renewed. */
const leaseTime = 2 * minute
/** ms between two renewals of a lease whose job does not renew it by itself. */
export const renewTime = minute / 4
/** ms after a renewal for which a lease is surely held. */
export const trustTime = leaseTime - renewTime
/**
 * Maximum ms by which a lease may end later than one given now: so far the database's clock may be set back while a job
 * runs. A lease that ends later still was given by a wrong clock, and is ignored; otherwise it would block everybody
 * until then.
 */
const longestLead = hour

/**
 * Prefix of the leases of backups. While one is held, bytes without a row stay in the store, because the backup may
 * have read the row before it was deleted; backup-leases.ts says which.
 */
export const backupPrefix = 'backup:'

/** Prefix of the leases of runs that move bytes between stores; after it comes the direction (commands/storage). */
export const movePrefix = 'move:'

export interface Leases {
  /** The id of this process in its leases. */
  readonly holder: string
  /** Takes a lease that is free, expired or already one's own; returns false if another process holds it. */
  take(name: string): Promise<boolean>
  /** Creates a lease under a new, unique name, inside the write that starts its job. */
  begin(name: string): Promise<void>
  /** Extends one's own lease, inside a write or alone; returns false if another process has taken it. */
  renew(name: string): Promise<boolean>
  /** Ends one's own lease, inside the write that ends its job or alone. */
  end(name: string): Promise<void>
  /** Ends a lease regardless of its holder, inside the write that ends its job. */
  revoke(name: string): Promise<void>
  /** Lets one's own lease expire, so that another process can find and finish the job. */
  abandon(name: string): Promise<void>
  /**
   * Lets a lease expire regardless of its holder; call it inside the write that takes the job over. The holder learns of
   * it at its next renewal. What is left of the job is found as after `abandon`.
   */
  expire(name: string): Promise<void>
  /** Returns the names with this prefix whose leases have expired. */
  findAbandoned(prefix: string): Promise<string[]>
  /** Whether a lease with this prefix is held; one with the prefix `except`, which begins with it, does not count. */
  isHeld(prefix: string, except?: string): Promise<boolean>
  /** Returns the names with this prefix whose leases are held. */
  findHeld(prefix: string): Promise<string[]>
  /** Lets the leases of a process expire that is known to have ended. */
  abandonOf(holder: string): Promise<void>
  /** Lets the leases of all servers expire, at the start of one that is known to be the only one. Keeps commands'. */
  abandonAll(): Promise<void>
}

/** The leases of this process, which belongs to a node, or to none (null) as a command. */
export function openLeases(db: Database, nodeId: string | null = null): Leases {
  const holder = randomUUID()
  /**
   * Jobs under way in this process; a clock that jumps does not make them abandoned. Names from a write that was rolled
   * back stay here without harm: such a lease has no row, or another process holds it.
   */
  const held = new Set<string>()
  const now = sqlNow(db.dialect)
  const newEnd = `${now} + ${leaseTime}`
  const isLive = `(expires_at > ${now} AND expires_at <= ${now} + ${leaseTime + longestLead})`
  // A backup names no node, so it also works on an older database, whose leases have no such column.
  const insert = (name: string) =>
    nodeId === null
      ? db.change(`INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, ${newEnd})`, [name, holder])
      : db.change(`INSERT INTO leases (name, holder, node_id, expires_at) VALUES ($1, $2, $3, ${newEnd})`, [
          name,
          holder,
          nodeId,
        ])

  async function takeFree(name: string): Promise<boolean> {
    const taken = await db.change(
      `UPDATE leases SET holder = $1, node_id = $2, expires_at = ${newEnd}
       WHERE name = $3 AND (NOT ${isLive} OR holder = $1)`,
      [holder, nodeId, name],
    )
    if (taken === 1) return true
    const others = await db.row('SELECT name FROM leases WHERE name = $1', [name])
    if (others !== undefined) return false
    await insert(name)
    return true
  }

  return {
    holder,
    take: async name => {
      // If two processes find no row at the same time, only one of them can insert it.
      const isMine = await db
        .touch(() => takeFree(name))
        .catch(error => {
          if (isTaken(error)) return false
          throw error
        })
      if (isMine) held.add(name)
      return isMine
    },
    begin: async name => {
      await insert(name)
      held.add(name)
    },
    renew: async name => {
      const renewed = await db.touch(() =>
        db.change(`UPDATE leases SET expires_at = ${newEnd} WHERE name = $1 AND holder = $2`, [name, holder]),
      )
      return renewed === 1
    },
    end: async name => {
      await db.touch(() => db.change('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder]))
      held.delete(name)
    },
    revoke: async name => {
      held.delete(name)
      await db.change('DELETE FROM leases WHERE name = $1', [name])
    },
    abandon: async name => {
      held.delete(name)
      await db.touch(() =>
        db.change('UPDATE leases SET expires_at = 0 WHERE name = $1 AND holder = $2', [name, holder]),
      )
    },
    expire: async name => {
      held.delete(name)
      await db.change("UPDATE leases SET holder = '', expires_at = 0 WHERE name = $1", [name])
    },
    findAbandoned: async prefix => {
      const rows = await db.rows<{ name: string; holder: string }>(
        `SELECT name, holder FROM leases
         WHERE name >= $1 AND name < $2 AND NOT ${isLive} ORDER BY name`,
        [prefix, `${prefix}\u{10FFFF}`],
      )
      const isUnderWay = (row: { name: string; holder: string }) => row.holder === holder && held.has(row.name)
      return rows.filter(row => !isUnderWay(row)).map(({ name }) => name)
    },
    isHeld: async (prefix, except) => {
      const [last, others] = [`${prefix}\u{10FFFF}`, 'AND NOT (name >= $3 AND name < $4)']
      const query = `SELECT name FROM leases WHERE name >= $1 AND name < $2 ${except ? others : ''} AND ${isLive} LIMIT 1`
      const binds = except ? [prefix, last, except, `${except}\u{10FFFF}`] : [prefix, last]
      return (await db.row(query, binds)) !== undefined
    },
    findHeld: async prefix => {
      const query = `SELECT name FROM leases WHERE name >= $1 AND name < $2 AND ${isLive}`
      return (await db.rows<{ name: string }>(query, [prefix, `${prefix}\u{10FFFF}`])).map(({ name }) => name)
    },
    abandonOf: async gone => {
      await db.touch(() => db.change('UPDATE leases SET expires_at = 0 WHERE holder = $1', [gone]))
    },
    abandonAll: async () => {
      const commands = [backupPrefix, movePrefix].map(prefix => `${prefix}%`)
      await db.touch(() =>
        db.change('UPDATE leases SET expires_at = 0 WHERE name NOT LIKE $1 AND name NOT LIKE $2', commands),
      )
    },
  }
}
