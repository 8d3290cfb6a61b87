/** The parts of a running server, passed to every route's function. */
import type { ChangeLimits } from './access/change-limits.ts'
import type { DevicePermits } from './access/device-permits.ts'
import type { KeyBudgets } from './access/key-budgets.ts'
import type { LinkLimits } from './access/link-limits.ts'
import type { Passwords } from './access/passwords.ts'
import type { SignInLimits } from './access/rate-limit.ts'
import type { Seal } from './access/seal.ts'
import type { Clock } from './base/clock.ts'
import type { Log } from './base/log.ts'
import type { Metrics } from './base/metrics.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import type { FreeSpace } from './blobs/free-space.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { Journal } from './db/journal.ts'
import type { Leases } from './db/leases.ts'
import type { Removals } from './files/removals.ts'
import type { LinkUse } from './links/use.ts'
import type { Live } from './live/live.ts'
import type { Uploads } from './uploads/contract.ts'

export interface Deps {
  readonly config: Config
  readonly db: Database
  readonly store: BlobStore
  readonly freeSpace: FreeSpace
  readonly removals: Removals
  readonly log: Log
  readonly metrics: Metrics
  /** The text that /metrics returns. */
  readonly figures: () => Promise<string>
  readonly clock: Clock
  readonly leases: Leases
  /** The node that this process belongs to; null for a command. */
  readonly nodeId: string | null
  readonly journal: Journal
  readonly passwords: Passwords
  /** Opens the server's secret at its first call; see access/server-secret.ts. */
  readonly seal: () => Promise<Seal>
  readonly limits: SignInLimits
  readonly linkLimits: LinkLimits
  readonly linkUse: LinkUse
  readonly live: Live
  readonly changes: ChangeLimits
  readonly budgets: KeyBudgets
  readonly devicePermits: DevicePermits
  readonly uploads: Uploads
}

/** The same without the store, for commands that do not touch bytes. */
export type RowDeps = Omit<Deps, 'store' | 'freeSpace' | 'removals' | 'uploads'>
