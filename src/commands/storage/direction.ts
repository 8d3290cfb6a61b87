/** Keeps bytes from being moved in both directions at once: each run would remove what the other one has just brought. */
import { createHash, randomUUID } from 'node:crypto'
import { AppError } from '../../base/errors.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { movePrefix } from '../../db/leases.ts'
import { type Held, keepLease } from '../../db/with-lease.ts'
import type { RowDeps } from '../../deps.ts'

/** Hex digits that tell directions apart, of the SHA-256 of the stores' names. */
const directionDigits = 16

const otherDirection = (): AppError =>
  new AppError(
    'in_use',
    'Another run moves bytes between other stores, or the other way: wait until it has ended, or two minutes after it was killed',
  )

/**
 * Runs `work`, which must confirm before it removes anything that this run still has its lease. Throws `in_use` while a run in another direction
 * is under way. Several in the same direction do not disturb each other.
 */
export async function inOneDirection<Result>(
  { db, leases }: Pick<RowDeps, 'db' | 'leases'>,
  { from, to }: { from: BlobStore; to: BlobStore },
  signal: AbortSignal,
  work: (held: Held) => Promise<Result>,
): Promise<Result> {
  const direction = createHash('sha256').update(`${from.name}\n${to.name}`).digest('hex').slice(0, directionDigits)
  const prefix = `${movePrefix}${direction}:`
  const name = prefix + randomUUID()
  await db.touch(() => leases.begin(name))
  return keepLease(leases, name, signal, async held => {
    // What expired is revoked, so that a run that was only paused learns of it. Each has begun before it looks, so of two
    // that begin at the same time at least one sees the other.
    for (const expired of await leases.findAbandoned(movePrefix)) await db.touch(() => leases.revoke(expired))
    if (await leases.isHeld(movePrefix, prefix)) throw otherDirection()
    return work(held)
  })
}
