/** What `filestore fsck` finds, and what a check works with to report it. */

import { AppError } from '../../base/errors.ts'
import type { Deps } from '../../deps.ts'

/** `ok`: worth knowing, and nothing is wrong. `repairable`: --repair mends it. `lost`: only a backup brings it back. */
export type Verdict = 'ok' | 'repairable' | 'lost'

export interface Finding {
  verdict: Verdict
  /** What kind of thing it is, for programs: `content-missing`. */
  problem: string
  /** What it is about, as a person can find it: `jana:/Docs/a.pdf`, a user for a space, a place in the store. */
  name: string
  /** The rest of a sentence about that. */
  detail: string
  file_id: number | null
  blob_id: number | null
  space_id: number | null
  /** Where the store has the bytes, or should have them. */
  key: string | null
  /** True where --repair has mended it. */
  repaired: boolean
}

type Place = 'file_id' | 'blob_id' | 'space_id' | 'key'
type NewFinding = Omit<Finding, Place | 'repaired'> & Partial<Pick<Finding, Place>>

/** Mends what was found, after another look; false where it is no longer so. */
type Repair = () => Promise<boolean>

export interface FsckOptions {
  /** Whether all bytes are read and hashed. */
  hash: boolean
  repair: boolean
  /** Whether bytes without a row are put into quarantine even where they are most of the store. */
  orphans: boolean
  /** Whether a run of --hash that was interrupted is forgotten instead of gone on with. */
  restart: boolean
  /** Bytes to hash in a second; null: as many as there can be. */
  rate: number | null
}

/** How much was looked at. */
export interface Counts {
  /** Files and folders. */
  items: number
  /** Contents, and their bytes. */
  blobs: number
  bytes: number
  hashed_bytes: number
  thumbnails: number
  spaces: number
  /** Keys in the store. */
  stored: number
  /** Those of them that no row names, but which are younger than a day: uploads under way. */
  young: number
}

/** Who wants to know what goes on, as it happens: there may be more findings than memory. */
export interface FsckListener {
  onFinding(finding: Finding): void
  /** Hashing begins, with so many bytes to do; or goes on from where one that began then (ISO 8601) stopped. */
  onHashing(total: number, resumedFrom: string | null): void
  onHashed(bytes: number): void
  onHashingEnd(): void
}

export interface Check {
  readonly deps: Deps
  readonly options: FsckOptions
  readonly listener: FsckListener
  readonly signal: AbortSignal
  readonly counts: Counts
  /** Whether anything may be mended: where that is wanted, and all rows can be found. */
  mayRepair(): boolean
  /** Whether a part of the database was found to be damaged. */
  isDamaged(): boolean
  /** Tells what was found; first mends it where that is wanted and can be. */
  report(finding: NewFinding, repair?: Repair): Promise<void>
}

/** The database itself cannot be read as it should be. */
export const damageProblem = 'database-damaged'
/** An index lacks rows of its table, so that they cannot be found by it. */
export const indexProblem = 'index-damaged'

const blank = { file_id: null, blob_id: null, space_id: null, key: null, repaired: false }

/** What stands against one repair, and need not against the next. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The name may come from a damaged row, which has bytes in the place of text. */
export const newFinding = (found: NewFinding): Finding => ({ ...blank, ...found, name: String(found.name) })

export const newCounts = (): Counts => ({
  items: 0,
  blobs: 0,
  bytes: 0,
  hashed_bytes: 0,
  thumbnails: 0,
  spaces: 0,
  stored: 0,
  young: 0,
})

export function openCheck(deps: Deps, options: FsckOptions, signal: AbortSignal, listener: FsckListener) {
  const counts = newCounts()
  /** Rows that cannot be found would make bytes seem to be nobody's. */
  let isDamaged = false
  const verdicts = { ok: 0, repairable: 0, repaired: 0, lost: 0 }
  const mayRepair = () => options.repair && !isDamaged
  const tell = (finding: Finding): void => {
    isDamaged ||= finding.problem === damageProblem || (finding.problem === indexProblem && !finding.repaired)
    verdicts[finding.repaired ? 'repaired' : finding.verdict] += 1
    listener.onFinding(finding)
  }
  const check: Check = {
    deps,
    options,
    listener,
    signal,
    counts,
    mayRepair,
    isDamaged: () => isDamaged,
    report: async (found, repair) => {
      const finding = newFinding(found)
      if (!mayRepair() || repair === undefined) return tell(finding)
      try {
        if (await repair()) tell({ ...finding, repaired: true })
      } catch (error) {
        signal.throwIfAborted()
        // Where the database itself is away, the rest cannot be looked at either.
        if (error instanceof AppError && error.code === 'unavailable') throw error
        tell({ ...finding, detail: `${finding.detail}; the repair failed: ${reasonOf(error)}` })
      }
    },
  }
  return { check, verdicts }
}
