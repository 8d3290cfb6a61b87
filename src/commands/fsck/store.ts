/** Checks the store: bytes without a row, and things that are not blobs. */

import { day } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { keepDamaged, putAside } from '../../blobs/quarantine.ts'
import { findKeptKeys } from '../../files/named-keys.ts'
import { findForeignSign, markStore } from '../../files/store-identity.ts'
import { hasUnknownOf } from '../../files/unknown-files.ts'
import type { Check } from './finding.ts'
import { mayBeOf } from './lost-rows.ts'
import { settle } from './pages.ts'
import { checkTexts } from './rows.ts'

/** Keys per lookup, and how many keys without a row are collected before they are looked at again. */
const batchSize = 500
const waitingSize = 5000

/**
 * Throws `in_use` when store and database probably do not belong together: a repair would quarantine most of the store.
 * First turns the database's mark back into text, because bytes are not found.
 */
export async function refuseForeignStore(check: Check): Promise<void> {
  const { deps, options, signal } = check
  if (!options.repair || options.orphans) return
  await checkTexts(check, 'server_state')
  const sign = await findForeignSign(deps, signal)
  if (sign === null) return
  const advice = 'give --database and --storage as the server has them, or --orphans to put those files into quarantine'
  throw new AppError('in_use', `Nothing is repaired in ${deps.store.name}, for ${sign}: ${advice}`)
}

async function findUnnamed({ deps }: Check, keys: readonly string[]): Promise<string[]> {
  const unnamed: string[] = []
  for (let start = 0; start < keys.length; start += batchSize) {
    const batch = keys.slice(start, start + batchSize)
    const named = await findKeptKeys(deps, batch)
    unnamed.push(...batch.filter(key => !named.has(key)))
  }
  return unnamed
}

/** The keys that still exist and still have no row, with their sizes. */
async function findOrphans(check: Check, keys: readonly string[]): Promise<{ key: string; size: number }[]> {
  const orphans: { key: string; size: number }[] = []
  for (const key of await findUnnamed(check, keys)) {
    const size = await check.deps.store.size(key)
    if (size !== null) orphans.push({ key, size })
  }
  return orphans
}

/**
 * Whether so many bytes may be the only copy of a file's: the row of its content is lost, or both rows are. A damaged
 * table may not be readable, and nothing is moved then.
 */
async function mayBeNeeded({ deps: { db }, lacking, isDamaged }: Check, size: number): Promise<boolean> {
  if (isDamaged()) return false
  return lacking.some(loss => mayBeOf({ size }, loss)) || (await hasUnknownOf(db, size))
}

/**
 * An operation that has deleted rows removes their bytes next. While keys keep disappearing, one is still running;
 * bytes that remain when none disappears any more have been left behind.
 */
async function reportOrphans(check: Check, suspects: readonly string[]): Promise<void> {
  if (suspects.length === 0) return
  const { store, clock } = check.deps
  let orphans: { key: string; size: number }[]
  let before: number
  let keys = suspects
  do {
    before = keys.length
    await settle(check)
    orphans = await findOrphans(check, keys)
    keys = orphans.map(({ key }) => key)
  } while (keys.length < before && keys.length > 0)
  for (const { key, size } of orphans) {
    const name = `blobs/${key.slice(0, 2)}/${key}`
    const isNeeded = await mayBeNeeded(check, size)
    const detail = `no row names these ${size} bytes${isNeeded ? ', and they may be what a file has lost' : ''}`
    await check.report({ verdict: 'repairable', problem: 'orphan', name, detail, key }, async () => {
      await (isNeeded ? keepDamaged : putAside)(store, key, clock.now())
      return true
    })
  }
}

async function checkKeys(check: Check): Promise<void> {
  const { store, clock } = check.deps
  let batch: { key: string; isYoung: boolean }[] = []
  const suspects: string[] = []
  const look = async () => {
    check.signal.throwIfAborted()
    const unnamed = new Set(
      await findUnnamed(
        check,
        batch.map(({ key }) => key),
      ),
    )
    for (const { key, isYoung } of batch.filter(entry => unnamed.has(entry.key))) {
      if (isYoung) check.counts.young += 1
      else suspects.push(key)
    }
    batch = []
  }
  for await (const { key, modifiedAt } of store.list()) {
    check.counts.stored += 1
    batch.push({ key, isYoung: clock.now() - modifiedAt <= day })
    if (batch.length >= batchSize) await look()
    if (suspects.length >= waitingSize) await reportOrphans(check, suspects.splice(0))
  }
  await look()
  await reportOrphans(check, suspects)
}

/**
 * Reports files and folders that filestore did not write. A person must decide whether they are legitimate. A store
 * that is not local has none.
 */
async function checkStrangers(check: Check): Promise<void> {
  const { local } = check.deps.store
  if (local === null) return
  for await (const name of local.listStrangers()) {
    check.signal.throwIfAborted()
    const detail = 'filestore did not write this, and does not touch it'
    await check.report({ verdict: 'ok', problem: 'stranger', name: `blobs/${name}`, detail })
  }
}

/** Notes that a repair would be refused, and why; `refuseForeignStore` has decided that where one is asked for. */
async function noteForeignStore({ deps, options, signal, report }: Check): Promise<void> {
  const sign = options.repair ? null : await findForeignSign(deps, signal)
  if (sign === null) return
  const detail = `${sign}, so --repair mends nothing, and the server removes nothing here`
  await report({ verdict: 'ok', problem: 'foreign-store', name: deps.store.name, detail })
}

export async function checkStore(check: Check): Promise<void> {
  await noteForeignStore(check)
  await checkKeys(check)
  await checkStrangers(check)
  // With --orphans the user has said that the store belongs to this database.
  if (check.mayRepair() && check.options.orphans) await markStore(check.deps)
}
