/** The quarantine of any store: bytes that no read finds, kept for a while in case somebody misses them. */
import type { Readable } from 'node:stream'
import type { BlobStore } from './blob-store.ts'

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

/** Deletes what was quarantined before `before` (ms); returns how many. */
export async function purgeQuarantine({ aside }: Store, before: number): Promise<number> {
  let ended = 0
  for await (const name of aside.list()) {
    // The name of damaged bytes gives NaN here and is skipped.
    if (!(Number.parseInt(name, 10) < before)) continue
    await aside.remove(name)
    ended += 1
  }
  return ended
}
