/** Keeps bytes from being moved in both directions at once: each run would remove what the other one has just brought. */
import { createHash, randomUUID } from 'node:crypto'
import { AppError } from '../../base/errors.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { movePrefix } from '../../db/leases.ts'
import { keepLease } from '../../db/with-lease.ts'
import type { RowDeps } from '../../deps.ts'

/** Hex digits that tell directions apart, of the SHA-256 of the stores' names. */
const directionDigits = 16

const otherDirection = (): AppError =>
  new AppError(
    'in_use',
    'Another run moves bytes between other stores, or the other way: wait until it has ended, or two minutes after it was killed',
  )

/**
 * Runs `work`, whose signal also aborts if this run loses its lease. Throws `in_use` while a run in another direction
 * is under way. Several in the same direction do not disturb each other.
 */
export async function inOneDirection<Result>(
  { db, leases }: Pick<RowDeps, 'db' | 'leases'>,
  { from, to }: { from: BlobStore; to: BlobStore },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const direction = createHash('sha256').update(`${from.name}\n${to.name}`).digest('hex').slice(0, directionDigits)
  const prefix = `${movePrefix}${direction}:`
  const name = prefix + randomUUID()
  await db.touch(() => leases.begin(name))
  return keepLease(leases, name, signal, async held => {
    // Each run has begun before it looks, so of two that begin at the same time at least one sees the other.
    if (await leases.isHeld(movePrefix, prefix)) throw otherDirection()
    return work(held)
  })
}
