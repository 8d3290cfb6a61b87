/** The findings of `filestore fsck`, and the interface by which checks report them. */

import { AppError } from '../../base/errors.ts'
import type { Deps } from '../../deps.ts'
import { findListed, type Listed } from './listed.ts'

/** `ok`: worth knowing, nothing is wrong. `repairable`: --repair fixes it. `lost`: only a backup restores it. */
export type Verdict = 'ok' | 'repairable' | 'lost'

export interface Finding {
  verdict: Verdict
  /** The type of problem, for programs: `content-missing`. */
  problem: string
  /** The subject, for people: `jana:/Docs/a.pdf`, a user for a space, or a place in the store. */
  name: string
  /** The rest of the sentence. */
  detail: string
  file_id: number | null
  blob_id: number | null
  space_id: number | null
  /** The key under which the store has, or should have, the bytes. */
  key: string | null
  /** Whether --repair has fixed it. */
  repaired: boolean
}

type Place = 'file_id' | 'blob_id' | 'space_id' | 'key'
type NewFinding = Omit<Finding, Place | 'repaired'> & Partial<Pick<Finding, Place>>

/** Repairs a finding after checking it again; false when the problem no longer exists. */
type Repair = () => Promise<boolean>

export interface FsckOptions {
  /** Whether to read and hash all bytes. */
  hash: boolean
  repair: boolean
  /** Whether to quarantine bytes without a row even when they are most of the store. */
  orphans: boolean
  /** Whether to give up lost rows and items in unknown folders: what tells of them is counted anew. */
  acceptLost: boolean
  /** Whether to start over instead of resuming an interrupted run of --hash. */
  restart: boolean
  /** Bytes to hash per second; null for no limit. */
  rate: number | null
}

/** How much was checked. */
export interface Counts {
  /** Files and folders. */
  items: number
  /** Contents, and their total bytes. */
  blobs: number
  bytes: number
  hashed_bytes: number
  thumbnails: number
  spaces: number
  /** Keys in the store. */
  stored: number
  /** Keys without a row that are younger than a day: running uploads. */
  young: number
}

/** Gets findings and progress as they happen, because all findings may not fit into memory. */
export interface FsckListener {
  onFinding(finding: Finding): void
  /** Hashing starts with so many bytes to do, or resumes the run that started at `resumedFrom` (ISO 8601). */
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
  /** The personal spaces whose owner is wrong or unknown: what is in them tells whose they are, so it stays as it is. */
  readonly disputed: Set<number>
  /** The spaces with an item that may be another's: their sums are what tells it, so they stay as they are. */
  readonly unsettled: Set<number>
  /** The spaces whose counts tell of lost rows or of an item in a wrong folder: these counts stay as they are. */
  readonly kept: Set<number>
  /** What storages count more than they have, each by itself: bytes without a row may be of these items. */
  readonly lacking: { items: number; bytes: number }[]
  /** Whether triggers or tables that count were missing, so that what folders count is no evidence. */
  areCountsStale: boolean
  /** What a remote store lists, read when it is first needed. */
  listed(): Promise<Listed>
  /** Whether repairs are requested and safe: all rows can be found. */
  mayRepair(): boolean
  /** Whether a part of the database is damaged. */
  isDamaged(): boolean
  /** Reports a finding; repairs it first when that is requested and possible. */
  report(finding: NewFinding, repair?: Repair): Promise<void>
}

/** Whether what is in a space may be another's, so that no repair may give it to the owner of the space. */
export const isUnclear = ({ disputed, unsettled }: Check, spaceId: number): boolean =>
  disputed.has(spaceId) || unsettled.has(spaceId)

/** The database itself is damaged. */
export const damageProblem = 'database-damaged'
/** An index lacks rows of its table, which therefore cannot be found by it. */
export const indexProblem = 'index-damaged'

const blank = { file_id: null, blob_id: null, space_id: null, key: null, repaired: false }

/** The reason why one repair failed; the next may succeed. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A damaged row may have bytes instead of text as its name. */
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
  /** Once set, no more repairs: when rows cannot be found, their bytes look unused. */
  let isDamaged = false
  const verdicts = { ok: 0, repairable: 0, repaired: 0, lost: 0 }
  const mayRepair = () => options.repair && !isDamaged
  const tell = (finding: Finding): void => {
    isDamaged ||= finding.problem === damageProblem || (finding.problem === indexProblem && !finding.repaired)
    verdicts[finding.repaired ? 'repaired' : finding.verdict] += 1
    listener.onFinding(finding)
  }
  let listed: Promise<Listed> | undefined
  const check: Check = {
    deps,
    options,
    listener,
    signal,
    counts,
    disputed: new Set(),
    unsettled: new Set(),
    kept: new Set(),
    lacking: [],
    areCountsStale: false,
    listed: () => {
      listed ??= findListed(deps, signal)
      return listed
    },
    mayRepair,
    isDamaged: () => isDamaged,
    report: async (found, repair) => {
      const finding = newFinding(found)
      if (!mayRepair() || repair === undefined) return tell(finding)
      try {
        if (await repair()) tell({ ...finding, repaired: true })
      } catch (error) {
        signal.throwIfAborted()
        // Without the database nothing else can be checked.
        if (error instanceof AppError && error.code === 'unavailable') throw error
        tell({ ...finding, detail: `${finding.detail}; the repair failed: ${reasonOf(error)}` })
      }
    },
  }
  return { check, verdicts }
}
