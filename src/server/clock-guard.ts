/**
 * Keeps a wrong clock from purging the trash. It records every minute that the server is alive. When the clock cannot
 * be right, it suspends the purge for 24 hours of running. A clock that stays wrong longer is not detected.
 */
import { type Clock, day, hour } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { openSemaphore } from '../base/semaphore.ts'
import type { Database } from '../db/database.ts'
import type { Leases } from '../db/leases.ts'
import { lockState, readState, saveState } from '../db/server-state.ts'

/** ms of running for which an implausible clock suspends the purge. */
const holdTime = day
/** The longest plausible absence of a server, in ms. */
const longestAbsence = 48 * hour
/**
 * How far the clock may move relative to the monotonic clock while the server runs, in ms; also how far the clocks of
 * several machines may differ, and how far one may be set back between two runs.
 */
const largestMove = hour
const lease = 'alive'

/** Both clocks at one moment. */
interface Reading {
  now: number
  monotonic: number
}

interface GuardDeps {
  db: Database
  log: Log
  clock: Clock
  leases: Leases
}

/** Records that the server is alive; returns the ms of running for which the purge is still suspended, or 0. */
type ClockGuard = () => Promise<number>

/** What is wrong with the clock at a start, or null; `aliveAt` is undefined at the very first start. */
function startProblem(now: number, aliveAt: number | undefined): string | null {
  if (aliveAt === undefined) return null
  if (now < aliveAt - largestMove) return 'the clock is behind the time at which this server was last alive'
  return now - aliveAt > longestAbsence ? 'the clock is more than 48 hours past the last time of this server' : null
}

/** What is wrong with the clock while the server runs, or null. */
function moveProblem(from: Reading, to: Reading): string | null {
  const move = to.now - from.now - (to.monotonic - from.monotonic)
  return Math.abs(move) > largestMove ? 'the clock was moved by more than an hour' : null
}

/** Opens the guard of a server that is starting; its first call checks the clock against the last run. */
export function openClockGuard({ db, log, clock, leases }: GuardDeps): ClockGuard {
  /** The readings when the clock was last found plausible, and when it was last read. */
  let base: Reading | undefined
  let last: Reading | undefined

  /** Processes on one database share a suspension; only the holder of the lease counts it down. */
  const mayCountDown = async () => ((await readState(db, 'purge_hold')) ?? 0) > 0 && leases.take(lease)

  async function check(): Promise<number> {
    const here: Reading = { now: clock.now(), monotonic: clock.monotonic() }
    const problem =
      base === undefined ? startProblem(here.now, await readState(db, 'alive_at')) : moveProblem(base, here)
    const elapsed = problem === null && (await mayCountDown()) ? here.monotonic - (last ?? here).monotonic : 0
    const { hold, stored } = await db.touch(async () => {
      // Read it in the same write: another process may just have found its clock wrong.
      const stored = (await lockState(db, 'purge_hold')) ?? 0
      const hold = problem === null ? Math.max(0, stored - Math.round(elapsed)) : holdTime
      await saveState(db, 'alive_at', here.now)
      if (hold !== stored) await saveState(db, 'purge_hold', hold)
      return { hold, stored }
    })
    if (problem !== null) log.warn({ hold_ms: hold }, `${problem}: the automatic purge is held`)
    else if (last === undefined && hold > 0) log.warn({ hold_ms: hold }, 'the automatic purge is still held')
    else if (hold === 0 && stored > 0) log.info('the automatic purge is no longer held')
    // Only after saving, so that a problem that could not be saved is found again.
    if (base === undefined || problem !== null) base = here
    last = here
    return hold
  }

  const withPermit = openSemaphore({ atOnce: 1 })
  return () => withPermit(check)
}
