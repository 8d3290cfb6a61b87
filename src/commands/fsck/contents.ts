/** Checks every content that a file uses: its size, and with --hash its bytes. */

import { hexForm } from '../../blobs/blob-store.ts'
import { findCandidates, reportDamagedKey } from './content-keys.ts'
import { type ContentRow, type Fault, findContents, findHashFault, findSizeFault } from './content-rows.ts'
import type { Check } from './finding.ts'
import { type HashBytes, openHashing } from './hash.ts'
import type { HashRun } from './hash-progress.ts'
import { findAsides, reportFault } from './lost-content.ts'
import { idRanges } from './pages.ts'

/** Contents per page; their sizes are read in parallel. */
const pageSize = 500
/** How many contents without bytes are collected before all keys of the store are compared with theirs. */
const mostMissing = 10_000

interface Faulty {
  content: ContentRow
  fault: Fault
}

/** Reports contents with a wrong size; returns the whole ones, and those without bytes. */
async function checkSizes(check: Check, hashBytes: HashBytes, contents: readonly ContentRow[]) {
  const faults = await Promise.all(contents.map(content => findSizeFault(check, content)))
  const faulty: Faulty[] = contents.flatMap((content, index) => {
    const fault = faults[index] ?? null
    return fault === null ? [] : [{ content, fault }]
  })
  const isMissing = ({ fault }: Faulty) => fault.problem === 'content-missing'
  const present = faulty.filter(entry => !isMissing(entry))
  const asides = await findAsides(
    check,
    present.map(({ content }) => content.key),
  )
  for (const { content, fault } of present) await reportFault(check, hashBytes, content, fault, { asides })
  return { whole: contents.filter((_, index) => faults[index] === null), missing: faulty.filter(isMissing) }
}

/** Contents without bytes, and those with a malformed key, which the check of rows has reported. */
interface Missing {
  faulty: Faulty[]
  malformed: ContentRow[]
}

async function reportMissing(check: Check, hashBytes: HashBytes, { faulty, malformed }: Missing): Promise<void> {
  const contents = faulty.map(({ content }) => content)
  const asides = await findAsides(
    check,
    contents.map(({ key }) => key),
  )
  const candidates = await findCandidates(check, [...contents, ...malformed])
  for (const { content, fault } of faulty) await reportFault(check, hashBytes, content, fault, { asides, candidates })
  for (const content of malformed) await reportDamagedKey(check, hashBytes, content, candidates.get(content.id))
}

/** Hashes what this run, or the run that it resumes, has not hashed yet, and what was damaged then. */
async function checkHashes(check: Check, hashBytes: HashBytes, run: HashRun, contents: readonly ContentRow[]) {
  const { progress, resumed } = run
  for (const content of contents) {
    const isNew = content.id > progress.after
    if (!isNew && !resumed?.damaged.includes(content.id)) continue
    const fault = await findHashFault(check, hashBytes, content)
    const asides = fault === null ? new Map() : await findAsides(check, [content.key])
    const isDamaged = fault !== null && (await reportFault(check, hashBytes, content, fault, { asides }))
    progress.damaged = progress.damaged.filter(id => id !== content.id)
    if (isDamaged) progress.damaged.push(content.id)
    if (isNew) await run.note(content.id, content.size)
  }
}

/** `run` is null without --hash. */
export async function checkContents(check: Check, run: HashRun | null): Promise<void> {
  const hashBytes = openHashing(check)
  let missing: Missing = { faulty: [], malformed: [] }
  for await (const range of idRanges(check, 'blobs', pageSize)) {
    const rows = await findContents(check, range)
    const contents = rows.filter(({ key }) => hexForm.test(key))
    check.counts.blobs += contents.length
    check.counts.bytes += contents.reduce((sum, { size }) => sum + size, 0)
    const found = await checkSizes(
      check,
      hashBytes,
      contents.filter(({ is_named }) => is_named === 1),
    )
    missing.faulty.push(...found.missing)
    missing.malformed.push(
      ...rows.filter(({ key, place, is_named }) => {
        const isText = typeof key === 'string' && !hexForm.test(key)
        return isText && place === 'store' && is_named === 1
      }),
    )
    if (missing.faulty.length + missing.malformed.length >= mostMissing) {
      await reportMissing(check, hashBytes, missing)
      missing = { faulty: [], malformed: [] }
    }
    if (run !== null) await checkHashes(check, hashBytes, run, found.whole)
  }
  await reportMissing(check, hashBytes, missing)
}
