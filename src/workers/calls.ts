/** What the primary and its workers ask of each other. */
import type { Registry } from 'prom-client'
import type { KeyBudgets } from '../access/key-budgets.ts'
import type { ErrorCode } from '../api/errors.ts'
import type { DemoAccount } from '../api/page.ts'
import type { Journal } from '../db/journal.ts'

/** What a worker says once it answers requests. */
export interface Ready {
  url: string
  /** Whose its leases are. */
  holder: string
}

/** What the primary does for a worker. */
export type PrimaryCalls = {
  begin(): { demoAccounts: readonly DemoAccount[]; port: number }
  ready(ready: Ready): void
  /** It could not start; the code is that of an AppError. */
  fail(code: ErrorCode | null, message: string): void
  /** It has stopped as it was told to, and cut so many requests. */
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

/** What one process has counted, or several together. */
export type Figures = ReturnType<Registry['getMetricsAsArray']>

/** What a worker does for the primary. */
export type WorkerCalls = {
  /** Its own figures. */
  figures(): Promise<Figures>
  /** From now on it runs what runs in one process alone. */
  startJobs(): void
  /** Lets running requests finish, then ends. */
  stop(): void
  /** Ends them at once. */
  end(): void
}
