/** Checks what lies in the store: bytes that no row names, and things that are no blobs. */

import { day } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { putAside } from '../../blobs/quarantine.ts'
import { findKeptKeys } from '../../files/content.ts'
import { findForeignSign, markStore } from '../../files/own-store.ts'
import type { Check } from './finding.ts'
import { settle } from './pages.ts'
import { checkTexts } from './rows.ts'

/** Keys looked up at once, and those without a row that wait together for another look. */
const batchSize = 500
const waitingSize = 5000

/**
 * Throws `in_use` where the store or the database is more likely the wrong one: a repair would take it apart. What the
 * database knows of its store is text again by then, for as bytes nobody finds it.
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

/** Those of some keys that are still there and still have no row, with their bytes. */
async function findOrphans(check: Check, keys: readonly string[]): Promise<{ key: string; size: number }[]> {
  const orphans: { key: string; size: number }[] = []
  for (const key of await findUnnamed(check, keys)) {
    const size = await check.deps.store.size(key)
    if (size !== null) orphans.push({ key, size })
  }
  return orphans
}

/**
 * An act that has taken rows away removes their bytes next. As long as some of them go, somebody is at it; what is there
 * when none does any more nobody removes.
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
    const detail = `no row names these ${size} bytes`
    await check.report({ verdict: 'repairable', problem: 'orphan', name, detail, key }, async () => {
      await putAside(store, key, clock.now())
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
 * Reports files and folders that filestore did not write. Whoever put them there has a reason, or is an intruder: that is
 * for a person to say. A store without files on this machine has none to look for.
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

export async function checkStore(check: Check): Promise<void> {
  await checkKeys(check)
  await checkStrangers(check)
  // Whoever asked for it has said that the rest is this database's.
  if (check.mayRepair() && check.options.orphans) await markStore(check.deps)
}
