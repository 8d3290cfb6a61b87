/** Whether a store belongs to a database. Both carry the same mark from the first sweep on. */
import { randomInt } from 'node:crypto'
import { graceTime } from '../blobs/sweep.ts'
import { lockState, readState, saveState } from '../db/server-state.ts'
import type { Deps } from '../deps.ts'
import { findNamedKeys } from './named-keys.ts'

const newId = (): number => randomInt(2 ** 47)

type StoreDeps = Pick<Deps, 'db' | 'store' | 'clock'>

/** Keys are random, so the first ones in listing order are a fair sample. */
const sampleSize = 10_000
const batchSize = 500
/** Crashes may leave this many keys without a row in any store. */
const fewKeys = 10

/** Samples keys and counts those without a row; ignores young keys, which may belong to running uploads. */
async function sampleStore({ db, store, clock }: StoreDeps, signal?: AbortSignal) {
  const sample = { named: 0, unnamed: 0 }
  let batch = new Map<string, number>()
  const settle = async () => {
    if (batch.size === 0) return
    const named = await findNamedKeys(db, [...batch.keys()])
    sample.named += named.size
    const isOld = (modifiedAt: number) => clock.now() - modifiedAt > graceTime
    for (const [key, modifiedAt] of batch) if (!named.has(key) && isOld(modifiedAt)) sample.unnamed += 1
    batch = new Map()
  }
  for await (const { key, modifiedAt } of store.list()) {
    batch.set(key, modifiedAt)
    if (batch.size >= batchSize) await settle()
    if (sample.named + sample.unnamed >= sampleSize || signal?.aborted) return sample
  }
  await settle()
  return sample
}

/**
 * Why the store seems not to belong to the database, as the rest of a sentence; null when it seems to. If both have a
 * mark, the marks decide. Otherwise the keys do: in another or a newer database's store most have no row.
 */
export async function findForeignSign(deps: StoreDeps, signal?: AbortSignal): Promise<string | null> {
  const mark = await deps.store.readMark()
  const id = await readState(deps.db, 'store_id')
  if (mark !== null && id !== undefined) {
    if (mark.id !== id) return 'it is the store of another database'
    const sweeps = (await readState(deps.db, 'store_sweeps')) ?? 0
    return mark.sweeps > sweeps ? 'the database is an older one than the store has had' : null
  }
  const { named, unnamed } = await sampleStore(deps, signal)
  if (unnamed <= fewKeys || unnamed <= named) return null
  return `${unnamed} of ${named + unnamed} files in it have no row in this database`
}

/**
 * Marks store and database as belonging together, before a sweep. The number of sweeps only grows, so that an older
 * copy of the database is recognized.
 */
export async function markStore({ db, store }: StoreDeps): Promise<void> {
  const mark = await store.readMark()
  const next = await db.touch(async () => {
    const known = await lockState(db, 'store_id')
    const sweeps = (await readState(db, 'store_sweeps')) ?? 0
    const own = { id: known ?? mark?.id ?? newId(), sweeps: Math.max(sweeps, mark?.sweeps ?? 0) + 1 }
    await saveState(db, 'store_id', own.id)
    await saveState(db, 'store_sweeps', own.sweeps)
    return own
  })
  await store.saveMark(next)
}

/** Gives both a new id: a restored database still has the id of its original. */
export async function markAnew({ db, store }: Pick<StoreDeps, 'db' | 'store'>): Promise<void> {
  const own = { id: newId(), sweeps: 0 }
  await db.touch(async () => {
    await saveState(db, 'store_id', own.id)
    await saveState(db, 'store_sweeps', own.sweeps)
  })
  await store.saveMark(own)
}
