/** Whether a store is that of a database: both bear one mark, since the first sweep that took them for each other's. */
import { randomInt } from 'node:crypto'
import { graceTime } from '../blobs/sweep.ts'
import { lockState, readState, saveState } from '../db/server-state.ts'
import type { Deps } from '../deps.ts'
import { findNamedKeys } from './content.ts'

const newId = (): number => randomInt(2 ** 47)

type StoreDeps = Pick<Deps, 'db' | 'store' | 'clock'>

/** Keys are drawn at random, so that the first of them in the order of the store are a fair sample of all. */
const sampleSize = 10_000
const batchSize = 500
/** So many without a row crashes may leave in any store. */
const fewKeys = 10

/** Keys of which some have no row: none of an upload that may be under way. */
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
 * What speaks against the store being the database's, as the rest of a sentence; null where nothing does. Where both are
 * marked, the marks settle it; else what is in the store does: most of another's, or of a newer one's, has no row.
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
 * Marks store and database as each other's, before a sweep that takes them for it. The number of sweeps only grows, so that
 * a copy of the database from before one of them is known for what it is.
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

/** Gives both a number that no other has: a restored database bears that of the one it was made from. */
export async function markAnew({ db, store }: Pick<StoreDeps, 'db' | 'store'>): Promise<void> {
  const own = { id: newId(), sweeps: 0 }
  await db.touch(async () => {
    await saveState(db, 'store_id', own.id)
    await saveState(db, 'store_sweeps', own.sweeps)
  })
  await store.saveMark(own)
}
