/** Leases: which process does what only one may do, until when, and what a process that died has left undone. */
import { randomUUID } from 'node:crypto'
import { type Clock, hour, minute } from '../base/clock.ts'
import type { Database } from './database.ts'
import { isTaken } from './failures.ts'

/** ms after which a lease that nobody renewed is free; whoever works renews it far more often. */
const leaseTime = 2 * minute
/**
 * ms by which a lease may end later than one that is given now: so far the clocks of several machines may be apart. One
 * that ends later still was given by a clock that was wrong, and would hold up everybody until that time comes.
 */
const longestLead = hour

/**
 * Begins the names of the leases of backups. While one is held, bytes that lose their row stay in the store, for the
 * backup may have read that row.
 */
export const backupPrefix = 'backup:'

export interface Leases {
  /** The name of this process beside its leases. */
  readonly holder: string
  /** Takes a lease that is free, expired or one's own; false where another process has it. */
  take(name: string): Promise<boolean>
  /** Makes a lease under a name that nobody can have yet, inside the write that begins what it stands for. */
  begin(name: string): Promise<void>
  /** Moves the end of one's own lease on, inside a write or alone; false where another has taken it meanwhile. */
  renew(name: string): Promise<boolean>
  /** Gives one's own lease back, inside the write that ends what it stands for or alone. */
  end(name: string): Promise<void>
  /** Ends a lease, whoever has it, inside the write that makes an end of what it stands for. */
  revoke(name: string): Promise<void>
  /** Leaves the work to whoever finds it. */
  abandon(name: string): Promise<void>
  /** Names with this prefix under which nobody works any more. */
  findAbandoned(prefix: string): Promise<string[]>
  /** Whether somebody works under a name with this prefix. */
  isHeld(prefix: string): Promise<boolean>
  /** Abandons the leases of a process that is known to have ended. */
  abandonOf(holder: string): Promise<void>
  /** Abandons the leases of every server, for the start of one that knows itself to be the only one; backups go on. */
  abandonAll(): Promise<void>
}

/** The leases of this process. */
export function openLeases(db: Database, clock: Clock): Leases {
  const holder = randomUUID()
  /**
   * Under way in this process; a clock that jumps does not make them abandoned. What a write began that was rolled back
   * stays here, and means nothing: the lease is another's then, or nobody's.
   */
  const held = new Set<string>()
  /** Between these a lease ends that is somebody's; outside, one that nobody works under. */
  const liveTimes = (): [after: number, upTo: number] => {
    const now = clock.now()
    return [now, now + leaseTime + longestLead]
  }
  const insert = (name: string) =>
    db.change('INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $3)', [
      name,
      holder,
      clock.now() + leaseTime,
    ])

  async function takeFree(name: string): Promise<boolean> {
    const taken = await db.change(
      `UPDATE leases SET holder = $1, expires_at = $2
       WHERE name = $3 AND (expires_at <= $4 OR expires_at > $5 OR holder = $1)`,
      [holder, clock.now() + leaseTime, name, ...liveTimes()],
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
      // Two processes that find no row at a time: one of them inserts it.
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
        db.change('UPDATE leases SET expires_at = $1 WHERE name = $2 AND holder = $3', [
          clock.now() + leaseTime,
          name,
          holder,
        ]),
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
    findAbandoned: async prefix => {
      const rows = await db.rows<{ name: string; holder: string }>(
        `SELECT name, holder FROM leases
         WHERE name >= $1 AND name < $2 AND (expires_at <= $3 OR expires_at > $4) ORDER BY name`,
        [prefix, `${prefix}\u{10FFFF}`, ...liveTimes()],
      )
      const isUnderWay = (row: { name: string; holder: string }) => row.holder === holder && held.has(row.name)
      return rows.filter(row => !isUnderWay(row)).map(({ name }) => name)
    },
    isHeld: async prefix => {
      const query = `SELECT name FROM leases
        WHERE name >= $1 AND name < $2 AND expires_at > $3 AND expires_at <= $4 LIMIT 1`
      return (await db.row(query, [prefix, `${prefix}\u{10FFFF}`, ...liveTimes()])) !== undefined
    },
    abandonOf: async gone => {
      await db.touch(() => db.change('UPDATE leases SET expires_at = 0 WHERE holder = $1', [gone]))
    },
    abandonAll: async () => {
      await db.touch(() => db.change('UPDATE leases SET expires_at = 0 WHERE name NOT LIKE $1', [`${backupPrefix}%`]))
    },
  }
}
