/** Checks every content: its size, with --hash its bytes, and that a file uses it. */

import { systemCode } from '../../base/errors.ts'
import { hexForm } from '../../blobs/blob-store.ts'
import { putAside } from '../../blobs/quarantine.ts'
import { backupPrefix } from '../../db/leases.ts'
import { systemActor } from '../../db/write.ts'
import { dropBlobs } from '../../files/content.ts'
import {
  type ContentRow,
  findContents,
  findHashFault,
  findSizeFault,
  lookAgain,
  openBytes,
  placeOf,
} from './content-rows.ts'
import type { Check } from './finding.ts'
import { type HashBytes, openHashing } from './hash.ts'
import type { HashRun } from './hash-progress.ts'
import { findAsides, reportFault } from './lost-content.ts'
import { idRanges } from './pages.ts'

/** Contents per page; their sizes are read in parallel. */
const pageSize = 500

/** Reports contents with a wrong size or without bytes; returns the others. */
async function checkSizes(check: Check, hashBytes: HashBytes, contents: readonly ContentRow[]): Promise<ContentRow[]> {
  const faults = await Promise.all(contents.map(content => findSizeFault(check, content)))
  const faulty = contents.filter((_, index) => faults[index] !== null)
  const asides = await findAsides(
    check,
    faulty.map(({ key }) => key),
  )
  for (const [index, content] of contents.entries()) {
    const fault = faults[index] ?? null
    if (fault !== null) await reportFault(check, hashBytes, content, fault, asides)
  }
  return contents.filter((_, index) => faults[index] === null)
}

/** Hashes what this run, or the run that it resumes, has not hashed yet, and what was damaged then. */
async function checkHashes(check: Check, hashBytes: HashBytes, run: HashRun, contents: readonly ContentRow[]) {
  const { progress, resumed } = run
  for (const content of contents) {
    const isNew = content.id > progress.after
    if (!isNew && !resumed?.damaged.includes(content.id)) continue
    const fault = await findHashFault(check, hashBytes, content)
    const asides = fault === null ? new Map() : await findAsides(check, [content.key])
    const isDamaged = fault !== null && (await reportFault(check, hashBytes, content, fault, asides))
    progress.damaged = progress.damaged.filter(id => id !== content.id)
    if (isDamaged) progress.damaged.push(content.id)
    if (isNew) await run.note(content.id, content.size)
  }
}

async function* once(bytes: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* bytes
}

/**
 * Deletes the row of an unused content, and quarantines its bytes, wherever they were. While a backup holds the store,
 * it may have read the row; then the bytes stay in the store and the sweeper removes them later.
 */
async function dropUnnamed(check: Check, content: ContentRow): Promise<boolean> {
  const { db, store, clock, leases } = check.deps
  if (content.place === 'inline' && content.inline_size !== null) {
    const bytes = (await openBytes(check, content)) as Buffer[]
    await store.put(content.key, once(bytes)).catch(error => {
      // A killed repair has already put them there.
      if (systemCode(error) !== 'EEXIST') throw error
    })
  }
  const { isGone, keys } = await db.write(systemActor, async record => {
    record.nothing()
    const dropped = (await dropBlobs(db, [content.id])).map(({ key }) => key)
    const left = await db.row('SELECT id FROM blobs WHERE id = $1', [content.id])
    return { isGone: left === undefined, keys: dropped }
  })
  // Ask after the commit: a backup that begins later cannot have read the row.
  const isHeld = await leases.isHeld(backupPrefix)
  for (const key of new Set([...keys, ...(content.place === 'inline' ? [content.key] : [])])) {
    await (isHeld ? store.rejuvenate(key) : putAside(store, key, clock.now()))
  }
  return isGone
}

async function checkNamed(check: Check, contents: readonly ContentRow[]): Promise<void> {
  for (const content of contents.filter(({ is_named }) => is_named === 0)) {
    const current = await lookAgain(check, content)
    if (current === undefined || current.is_named === 1) continue
    await check.report(
      {
        verdict: 'repairable',
        problem: 'content-unnamed',
        name: `content ${content.id}`,
        detail: `no file names it: ${placeOf(content)}`,
        blob_id: content.id,
        key: content.key,
      },
      () => dropUnnamed(check, current),
    )
  }
}

/** `run` is null without --hash. */
export async function checkContents(check: Check, run: HashRun | null): Promise<void> {
  const hashBytes = openHashing(check)
  for await (const range of idRanges(check, 'blobs', pageSize)) {
    // A malformed key leads to no bytes; the check of rows reports it.
    const contents = (await findContents(check, range)).filter(({ key }) => hexForm.test(key))
    check.counts.blobs += contents.length
    check.counts.bytes += contents.reduce((sum, { size }) => sum + size, 0)
    await checkNamed(check, contents)
    const whole = await checkSizes(
      check,
      hashBytes,
      contents.filter(({ is_named }) => is_named === 1),
    )
    if (run !== null) await checkHashes(check, hashBytes, run, whole)
  }
}
