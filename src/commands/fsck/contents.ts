/** Checks every content that a file uses: its size, and with --hash its bytes. */

import { hexForm } from '../../blobs/blob-store.ts'
import { type ContentRow, findContents, findHashFault, findSizeFault } from './content-rows.ts'
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

/** `run` is null without --hash. */
export async function checkContents(check: Check, run: HashRun | null): Promise<void> {
  const hashBytes = openHashing(check)
  for await (const range of idRanges(check, 'blobs', pageSize)) {
    // A malformed key leads to no bytes; the check of rows reports it.
    const contents = (await findContents(check, range)).filter(({ key }) => hexForm.test(key))
    check.counts.blobs += contents.length
    check.counts.bytes += contents.reduce((sum, { size }) => sum + size, 0)
    const whole = await checkSizes(
      check,
      hashBytes,
      contents.filter(({ is_named }) => is_named === 1),
    )
    if (run !== null) await checkHashes(check, hashBytes, run, whole)
  }
}
