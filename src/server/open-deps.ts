/** Opens what commands and routes work with. It imports nothing of HTTP, so that commands start fast. */
import { join } from 'node:path'
import { Counter } from 'prom-client'
import { openChangeLimits } from '../access/change-limits.ts'
import { openDevicePermits } from '../access/device-permits.ts'
import { openKeyBudgets } from '../access/key-budgets.ts'
import { openLinkLimits } from '../access/link-limits.ts'
import { openPasswords } from '../access/passwords.ts'
import { openSignInLimits } from '../access/rate-limit.ts'
import { openServerSecret } from '../access/server-secret.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { openLog, openStderr } from '../base/log.ts'
import { Metrics } from '../base/metrics.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { cacheReads } from '../blobs/cache/cached.ts'
import { countFailures } from '../blobs/count-failures.ts'
import { type FreeSpace, openFreeSpace } from '../blobs/free-space.ts'
import { openStore } from '../blobs/open-store.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/database.ts'
import { openJournal } from '../db/journal.ts'
import { openLeases } from '../db/leases.ts'
import { onBrokenValue } from '../db/stored-json.ts'
import type { Deps, RowDeps } from '../deps.ts'
import { openRemovals } from '../files/removals.ts'
import { openLinkUse } from '../links/use.ts'
import { openLive } from '../live/live.ts'
import { openUploads } from '../uploads/uploads.ts'

/** Opens everything, for a node or a command (null). The database must have been migrated. */
export async function openDeps(
  config: Config,
  clock: Clock = systemClock,
  nodeId: string | null = null,
): Promise<Deps> {
  // Open the store first: if its folder cannot be created, nothing else is left open.
  const store = await openStore(config)
  let freeSpace: FreeSpace | undefined
  const rowDeps = await openRowDeps(config, clock, async () => (await freeSpace?.isLow()) === true, nodeId)
  const failures = new Counter({
    name: 'filestore_store_failures_total',
    help: 'Failures of the store, whoever asked',
    registers: [rowDeps.metrics],
  })
  const counted = openCache(
    rowDeps,
    countFailures(store, () => failures.inc()),
  )
  freeSpace = openFreeSpace({ ...rowDeps, store: counted })
  const deps = { ...rowDeps, store: counted, freeSpace, removals: openRemovals({ ...rowDeps, store: counted }) }
  return { ...deps, uploads: openUploads(deps) }
}

/** Answers what users read from local copies, where the store's bytes are on other machines. */
function openCache({ config, metrics }: Pick<Deps, 'config' | 'metrics'>, store: BlobStore): BlobStore {
  const { dataDir, cacheSize: size, workers, minFreeSpace } = config
  if (store.local !== null || size === 0) return store
  const registers = [metrics]
  const hits = new Counter({ name: 'filestore_cache_hits_total', help: 'Reads that a local copy answered', registers })
  const misses = new Counter({ name: 'filestore_cache_misses_total', help: 'Reads without a local copy', registers })
  return cacheReads(store, {
    ...{ folder: join(dataDir, 'cache'), size, workers, minFreeSpace },
    onHit: () => hits.inc(),
    onMiss: () => misses.inc(),
  })
}

/** Closes what `openDeps` or `openRowDeps` has opened, after queued bytes are removed. */
export async function closeDeps(deps: Deps | RowDeps): Promise<void> {
  if ('removals' in deps) await deps.removals.close()
  await deps.db.close()
}

/**
 * Opens everything except the store, whose folder would otherwise be created. `isLow` says whether free space is below
 * its minimum.
 */
export async function openRowDeps(
  config: Config,
  clock: Clock = systemClock,
  isLow: () => Promise<boolean> = async () => false,
  nodeId: string | null = null,
): Promise<RowDeps> {
  const metrics = new Metrics()
  const registers = [metrics]
  const failures = new Counter({
    name: 'filestore_database_failures_total',
    help: 'Failures of the database, whoever asked',
    registers,
  })
  const db = await openDatabase(config.database, { onFailure: () => failures.inc() })
  const lost = new Counter({
    name: 'filestore_log_lines_lost_total',
    help: 'Lines of the log that could not be written',
    registers,
  })
  const lines = openLog(
    config.logLevel,
    openStderr(() => lost.inc()),
  )
  // Several processes write to one log, so add their ids.
  const log = config.workers === 1 ? lines : lines.child({ pid: process.pid })
  onBrokenValue(row => log.warn({ row }, "a row cannot be read and is shown without it: run 'filestore fsck'"))
  return {
    config,
    db,
    log,
    metrics,
    figures: () => metrics.metrics(),
    clock,
    journal: openJournal({ db, clock, log, isLow }),
    leases: openLeases(db, nodeId),
    nodeId,
    passwords: openPasswords(() => log.error("the hash of a password is damaged: 'filestore fsck' names the user")),
    seal: openServerSecret(db, config),
    limits: openSignInLimits(db),
    linkLimits: openLinkLimits(db),
    linkUse: openLinkUse({ db, log }),
    live: openLive({ db, log }),
    changes: openChangeLimits(db),
    budgets: openKeyBudgets({ isShared: db.dialect === 'mariadb' }),
    devicePermits: openDevicePermits(),
  }
}
