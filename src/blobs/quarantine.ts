/** The quarantine of any store: bytes that no read finds, kept for a while in case somebody misses them. */
import type { Readable } from 'node:stream'
import { AppError, systemCode } from '../base/errors.ts'
import type { BlobStore, Missed } from './blob-store.ts'
import { sha256Of } from './hash.ts'

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

/**
 * The SHA-256 of quarantined bytes in hex; null where the disk does not deliver them, undefined when they are gone. Throws
 * when the store does not answer.
 */
async function hashOf({ aside }: Store, name: string, signal?: AbortSignal): Promise<string | null | undefined> {
  try {
    return await sha256Of(await aside.read(name), signal)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined || error instanceof AppError) throw error
    return code === 'ENOENT' ? undefined : null
  }
}

/** Names per question about their hashes. */
const batchSize = 500

interface Purged {
  purged: number
  /** Those that stay although their time is over, as a file may have lost them, or they cannot be read. */
  missed: number
}

/** Deletes what was quarantined before `before` (ms) and is not missed. Stops when the signal aborts. */
export async function purgeQuarantine(
  store: Store,
  before: number,
  missed: Missed,
  signal?: AbortSignal,
): Promise<Purged> {
  const result: Purged = { purged: 0, missed: 0 }
  let batch: { name: string; hash: string }[] = []
  const settle = async () => {
    const found = await missed.find(batch.map(({ hash }) => hash))
    for (const { name, hash } of batch) {
      if (found.has(hash)) result.missed += 1
      else {
        await store.aside.remove(name)
        result.purged += 1
      }
    }
    batch = []
  }
  let isAnyMissed: boolean | undefined
  for await (const name of store.aside.list()) {
    // The name of damaged bytes gives NaN here and is skipped.
    if (!(Number.parseInt(name, 10) < before)) continue
    isAnyMissed ??= await missed.isAny()
    const hash = isAnyMissed
      ? null
      : await hashOf(store, name, signal).catch(error => {
          if (signal?.aborted) return undefined
          throw error
        })
    if (signal?.aborted) return result
    if (hash === null) result.missed += 1
    if (typeof hash === 'string') batch.push({ name, hash })
    if (batch.length >= batchSize) await settle()
  }
  if (batch.length > 0) await settle()
  return result
}
