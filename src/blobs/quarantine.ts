/** The quarantine of any store: bytes that no read finds, kept for a while in case somebody misses them. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { systemCode } from '../base/errors.ts'
import type { BlobStore, FindMissed } from './blob-store.ts'

/** Bytes that were quarantined at a time (ms, UTC). */
export interface QuarantinedKey {
  key: string
  at: number
}

type Store = Pick<BlobStore, 'aside'>

/**
 * The name holds the time, so no store has to keep it elsewhere. The name of damaged bytes does not start with a time.
 */
const nameOf = ({ key, at }: QuarantinedKey): string => `${at}-${key}`
const damagedNameOf = (aside: QuarantinedKey): string => `damaged-${nameOf(aside)}`
const nameForm = /^(\d+)-([0-9a-f]{64})$/

/** Quarantines the bytes of a key; `purgeQuarantine` deletes them later. A key without bytes is no error. */
export const putAside = ({ aside }: Store, key: string, now: number): Promise<void> =>
  aside.take(key, nameOf({ key, at: now }))

/** Quarantines damaged bytes. They may be the only copy somebody has, so nothing ever deletes them. */
export const keepDamaged = ({ aside }: Store, key: string, now: number): Promise<void> =>
  aside.take(key, damagedNameOf({ key, at: now }))

/** Lists what `putAside` has quarantined and nothing has deleted yet. */
export async function* listQuarantine({ aside }: Store): AsyncGenerator<QuarantinedKey> {
  for await (const name of aside.list()) {
    const [, at, key] = nameForm.exec(name) ?? []
    if (key !== undefined) yield { key, at: Number(at) }
  }
}

/** Opens quarantined bytes. Rejects with ENOENT when they are gone. */
export const readQuarantined = ({ aside }: Store, from: QuarantinedKey): Promise<Readable> => aside.read(nameOf(from))

/** Restores quarantined bytes to their key, durably. Rejects with EEXIST when the key has bytes again. */
export const putBack = ({ aside }: Store, from: QuarantinedKey): Promise<void> => aside.giveBack(nameOf(from), from.key)

/** The SHA-256 of quarantined bytes in hex; null when disk or store fails to deliver them. */
async function hashOf({ aside }: Store, name: string, signal?: AbortSignal): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of await aside.read(name)) {
      signal?.throwIfAborted()
      hash.update(chunk)
    }
  } catch (error) {
    if (signal?.aborted || systemCode(error) === undefined) throw error
    return null
  }
  return hash.digest('hex')
}

/** Names per question about their hashes. */
const batchSize = 500

/**
 * Deletes what was quarantined before `before` (ms), and what `findMissed` does not name. Bytes that cannot be read stay,
 * too. Returns how many were deleted, and how many stay.
 */
export async function purgeQuarantine(
  store: Store,
  before: number,
  findMissed: FindMissed,
  signal?: AbortSignal,
): Promise<{ purged: number; missed: number }> {
  const result = { purged: 0, missed: 0 }
  let batch: { name: string; hash: string }[] = []
  const settle = async () => {
    const missed = await findMissed(batch.map(({ hash }) => hash))
    for (const { name, hash } of batch) {
      if (missed.has(hash)) result.missed += 1
      else {
        await store.aside.remove(name)
        result.purged += 1
      }
    }
    batch = []
  }
  for await (const name of store.aside.list()) {
    // The name of damaged bytes gives NaN here and is skipped.
    if (!(Number.parseInt(name, 10) < before)) continue
    const hash = await hashOf(store, name, signal)
    if (hash === null) result.missed += 1
    else batch.push({ name, hash })
    if (batch.length >= batchSize) await settle()
  }
  if (batch.length > 0) await settle()
  return result
}
