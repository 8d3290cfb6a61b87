/** Checks what lies in the store: bytes that no row names, and things that are no blobs. */
import { day } from '../../clock.ts'
import { findKeptKeys } from '../../files/content.ts'
import type { Check } from './finding.ts'
import { settle } from './pages.ts'

/** Keys looked up at once, and those without a row that wait together for another look. */
const batchSize = 500
const waitingSize = 5000

async function findUnnamed({ deps }: Check, keys: readonly string[]): Promise<string[]> {
  const unnamed: string[] = []
  for (let start = 0; start < keys.length; start += batchSize) {
    const batch = keys.slice(start, start + batchSize)
    const named = await findKeptKeys(deps, batch)
    unnamed.push(...batch.filter(key => !named.has(key)))
  }
  return unnamed
}

/** An act that has just taken a row away removes its bytes next: what is there after a while nobody removes. */
async function reportOrphans(check: Check, suspects: readonly string[]): Promise<void> {
  if (suspects.length === 0) return
  await settle(check)
  const { store, clock } = check.deps
  for (const key of await findUnnamed(check, suspects)) {
    const size = await store.size(key)
    if (size === null) continue
    const name = `blobs/${key.slice(0, 2)}/${key}`
    const detail = `no row names these ${size} bytes`
    await check.report({ verdict: 'repairable', problem: 'orphan', name, detail, key }, async () => {
      await store.quarantine(key, clock.now())
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

/** Whoever put them there has a reason, or is an intruder: that is for a person to say. */
async function checkStrangers(check: Check): Promise<void> {
  for await (const name of check.deps.store.listStrangers()) {
    check.signal.throwIfAborted()
    const detail = 'filestore did not write this, and does not touch it'
    await check.report({ verdict: 'ok', problem: 'stranger', name: `blobs/${name}`, detail })
  }
}

export async function checkStore(check: Check): Promise<void> {
  await checkKeys(check)
  await checkStrangers(check)
}
