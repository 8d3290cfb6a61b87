/** Deletes old events. Nothing else changes or deletes an event: the audit log is append-only. */
import { day } from '../base/clock.ts'
import { isoTime } from '../base/iso-time.ts'
import { isOneOf, valuesAtOnce } from '../db/values.ts'
import { systemActor } from '../db/write-actor.ts'
import type { Deps } from '../deps.ts'

const lease = 'audit'

/** Deletes some of the oldest events before a time (ms, UTC); returns how many. */
async function deleteSome({ db }: Deps, before: number): Promise<number> {
  const old = await db.rows<{ id: number }>(`SELECT id FROM events WHERE at < $1 ORDER BY at LIMIT ${valuesAtOnce}`, [
    before,
  ])
  const ids = old.map(({ id }) => id)
  return ids.length === 0 ? 0 : db.touch(() => db.change(`DELETE FROM events WHERE ${isOneOf('id', ids)}`, ids))
}

async function deleteAll(deps: Deps, before: number, signal: AbortSignal): Promise<number> {
  let deleted = 0
  while (!signal.aborted && (await deps.leases.renew(lease))) {
    const count = await deleteSome(deps, before)
    if (count === 0) break
    deleted += count
  }
  return deleted
}

/**
 * Deletes events that are older than the retention time, unless another process is doing so. Stops between two slices
 * when `signal` is aborted. The limit is rounded to whole days, so that the event that reports it is written once a
 * day.
 */
export async function deleteOldEvents(deps: Deps, signal: AbortSignal): Promise<void> {
  const { clock, config, db, leases, log } = deps
  if (!(await leases.take(lease))) return
  try {
    const before = Math.floor((clock.now() - config.auditDays * day) / day) * day
    const events = await deleteAll(deps, before, signal)
    if (events === 0) return
    await db.write(systemActor, async record =>
      record('audit.expire', { id: null }, { events, before: isoTime(before) }),
    )
    log.info({ events, days: config.auditDays }, 'deleted old events of the audit log')
  } finally {
    await leases.end(lease)
  }
}
