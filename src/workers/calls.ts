/** The calls between the primary and its workers. */
import type { Registry } from 'prom-client'
import type { KeyBudgets } from '../access/key-budgets.ts'
import type { ErrorCode } from '../api/errors.ts'
import type { DemoAccount } from '../api/page.ts'
import type { Journal } from '../db/journal.ts'

/** A worker's message that it answers requests. */
export interface Ready {
  url: string
  /** The holder of its leases. */
  holder: string
}

/** The calls that a worker makes to the primary. */
export type PrimaryCalls = {
  begin(): { demoAccounts: readonly DemoAccount[]; port: number; nodeId: string | null }
  ready(ready: Ready): void
  /** The worker could not start; the code is an AppError's. */
  fail(code: ErrorCode | null, message: string): void
  /** The worker has stopped as requested, and has cut off this many requests. */
  stopped(cut: number): void
  /** The text of /metrics, for all processes. */
  figures(): Promise<string>
  spend(...args: Parameters<KeyBudgets['spend']>): ReturnType<KeyBudgets['spend']>
  beginDevice(keyId: number): boolean
  endDevice(keyId: number): void
  note(...args: Parameters<Journal['note']>): void
  refuse(...args: Parameters<Journal['refuse']>): void
  flush(): Promise<void>
}

/** The metrics of one process, or of several together. */
export type Figures = ReturnType<Registry['getMetricsAsArray']>

/** The calls that the primary makes to a worker. */
export type WorkerCalls = {
  /** The worker's own metrics. */
  figures(): Promise<Figures>
  /** Makes the worker run the jobs that only one process runs. */
  startJobs(): void
  /** Lets running requests finish, then ends. */
  stop(): void
  /** Cuts off running requests at once. */
  end(): void
}
