/** The automatic purge: deletes what the trash of any space has listed for longer than the retention. */
import { day } from '../../base/clock.ts'
import { readPages } from '../../db/read-on.ts'
import type { Deps } from '../../deps.ts'
import { purgeSpace, systemEmptier } from './purge.ts'

const lease = 'purge'

/** The first space after another whose trash holds what is older. */
const nextSpace = `SELECT s.id FROM spaces s WHERE s.id > $1 AND EXISTS (SELECT 1 FROM files f
    WHERE f.space_id = s.id AND f.deleted_at <= $2 AND f.trash_root_id = f.id)
  ORDER BY s.id LIMIT 1`

/** Purges space after space; yields after each slice how many items are gone. */
async function* purgeSpaces(deps: Deps, before: number): AsyncGenerator<number> {
  const { db } = deps
  const pages = readPages<{ id: number }>(db, {
    read: ([after = 0]) => db.rows(nextSpace, [after, before]),
    keyOf: ({ id }) => [id],
    start: [0],
    size: 1,
  })
  for await (const [space] of pages) {
    if (space !== undefined) yield* purgeSpace(deps, systemEmptier(db), space.id, before)
  }
}

/** Runs the purge where no other process does; stops between two slices when it is told to, or has lost its lease. */
export async function purgeOldTrash(deps: Deps, signal: AbortSignal): Promise<void> {
  const { clock, config, leases, log } = deps
  if (!(await leases.take(lease))) return
  let deleted = 0
  try {
    for await (const count of purgeSpaces(deps, clock.now() - config.trashRetentionDays * day)) {
      deleted += count
      if (signal.aborted || !(await leases.renew(lease))) break
    }
  } finally {
    await leases.end(lease)
    if (deleted > 0) log.info({ deleted, days: config.trashRetentionDays }, 'purged the trash')
  }
}
