/** Opens what commands and routes work with; a command beside the server loads nothing of HTTP for it. */
import { openDeviceTurns } from './access/device-turns.ts'
import { openKeyBudgets } from './access/key-budgets.ts'
import { openPasswords } from './access/passwords.ts'
import { openSignInLimits } from './access/rate-limit.ts'
import { countFailures } from './blobs/count-failures.ts'
import { openLocalStore } from './blobs/local.ts'
import { openRoom } from './blobs/room.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import { openJournal } from './db/journal.ts'
import { openLeases } from './db/leases.ts'
import type { Deps, RowDeps } from './deps.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'

/** Opens all of it. The database must have been migrated. */
export async function openDeps(config: Config, clock: Clock = systemClock): Promise<Deps> {
  // First, for nothing is left open where the folder cannot be made.
  const store = await openLocalStore(config.storage)
  const rowDeps = await openRowDeps(config, clock)
  const failures = rowDeps.metrics.counter('filestore_store_failures_total', 'Failures of the store, whoever asked')
  const counted = countFailures(store, () => failures.add(1))
  return { ...rowDeps, store: counted, room: openRoom({ ...rowDeps, store: counted }) }
}

/** Opens all of it but the store, whose folder would be made where it is not there. */
export async function openRowDeps(config: Config, clock: Clock = systemClock): Promise<RowDeps> {
  const metrics = openMetrics()
  const failures = metrics.counter('filestore_database_failures_total', 'Failures of the database, whoever asked')
  const db = await openDatabase(config.database, { onFailure: () => failures.add(1) })
  const lines = openLog(config.logLevel)
  // Several processes write to one log.
  const log = config.workers === 1 ? lines : lines.child({ pid: process.pid })
  return {
    config,
    db,
    log,
    metrics,
    clock,
    journal: openJournal({ db, clock, log }),
    leases: openLeases(db, clock),
    passwords: openPasswords(),
    limits: openSignInLimits(db),
    budgets: openKeyBudgets({ isShared: db.dialect === 'mariadb' }),
    deviceTurns: openDeviceTurns(),
  }
}
