/** The automatic purge: deletes items of all spaces that have been in the trash longer than the retention time. */
import { day } from '../../base/clock.ts'
import { readPages } from '../../db/read-on.ts'
import type { Deps } from '../../deps.ts'
import { purgeSpace, systemEmptier } from './purge.ts'

const lease = 'purge'

/** The next space, by id, whose trash has items to purge. */
const nextSpace = `SELECT s.id FROM spaces s WHERE s.id > $1 AND EXISTS (SELECT 1 FROM files f
    WHERE f.space_id = s.id AND f.deleted_at <= $2 AND f.trash_root_id = f.id)
  ORDER BY s.id LIMIT 1`

/** Purges space after space; after each slice it yields how many items were deleted. */
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

/** Runs the purge unless another process does. Stops between two slices if `signal` is aborted or the lease is lost. */
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
