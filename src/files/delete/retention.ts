/** The automatic purge: deletes what the trash of any space has listed for longer than the retention. */
import { day } from '../../clock.ts'
import { systemActor } from '../../db/write.ts'
import type { Deps } from '../../deps.ts'
import { purgeSpace } from './purge.ts'

const lease = 'purge'

/** The first space after another whose trash holds what is older. */
const findNextSpace = ({ db }: Deps, afterId: number, before: number): Promise<{ id: number } | undefined> =>
  db.row<{ id: number }>(
    `SELECT s.id FROM spaces s WHERE s.id > $1 AND EXISTS (SELECT 1 FROM files f
       WHERE f.space_id = s.id AND f.deleted_at <= $2 AND f.trash_root_id = f.id)
     ORDER BY s.id LIMIT 1`,
    [afterId, before],
  )

/** Purges space after space; yields after each slice how many items are gone. */
async function* purgeSpaces(deps: Deps, before: number): AsyncGenerator<number> {
  for (let afterId = 0; ; ) {
    const space = await findNextSpace(deps, afterId, before)
    if (space === undefined) return
    yield* purgeSpace(deps, systemActor, 'trash.purge', space.id, before)
    afterId = space.id
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
