/** The quarantine of any store: bytes that no read finds, kept for a while in case somebody misses them. */
import type { Readable } from 'node:stream'
import type { BlobStore } from './blob-store.ts'

/** Bytes that were put aside at some time (ms, UTC). */
export interface QuarantinedKey {
  key: string
  at: number
}

type Store = Pick<BlobStore, 'aside'>

/** The time stands in the name, for no store need keep another. The name of what is damaged does not begin with one. */
const nameOf = ({ key, at }: QuarantinedKey): string => `${at}-${key}`
const damagedNameOf = (aside: QuarantinedKey): string => `damaged-${nameOf(aside)}`
const nameForm = /^(\d+)-([0-9a-f]{64})$/

/** Puts the bytes of a key aside, where no read finds them; `purgeQuarantine` ends them. A key without bytes is no error. */
export const putAside = ({ aside }: Store, key: string, now: number): Promise<void> =>
  aside.take(key, nameOf({ key, at: now }))

/** Does the same with bytes that are not as they were, which may be all that somebody has: nothing ends them. */
export const keepDamaged = ({ aside }: Store, key: string, now: number): Promise<void> =>
  aside.take(key, damagedNameOf({ key, at: now }))

/** Lists what `putAside` has put aside and nothing has ended yet. */
export async function* listQuarantine({ aside }: Store): AsyncGenerator<QuarantinedKey> {
  for await (const name of aside.list()) {
    const [, at, key] = nameForm.exec(name) ?? []
    if (key !== undefined) yield { key, at: Number(at) }
  }
}

/** Opens bytes that were put aside. Rejects with ENOENT where they are gone. */
export const readQuarantined = ({ aside }: Store, from: QuarantinedKey): Promise<Readable> => aside.read(nameOf(from))

/** Brings bytes back under their key, durably. Rejects with EEXIST where the key has bytes again. */
export const putBack = ({ aside }: Store, from: QuarantinedKey): Promise<void> => aside.giveBack(nameOf(from), from.key)

/** Ends what was put aside before `before` (ms); gives back how many that were. */
export async function purgeQuarantine({ aside }: Store, before: number): Promise<number> {
  let ended = 0
  for await (const name of aside.list()) {
    // Of what is damaged that is no number.
    if (!(Number.parseInt(name, 10) < before)) continue
    await aside.remove(name)
    ended += 1
  }
  return ended
}
