/** Keeps bytes without a row in the store: a backup may have read their row, or an import is about to add it. */
import { newBackupLease } from '../../db/backup-leases.ts'
import { backupPrefix } from '../../db/leases.ts'
import { keepLease } from '../../db/with-lease.ts'
import type { Deps } from '../../deps.ts'

type HoldDeps = Pick<Deps, 'db' | 'leases'>

/**
 * Begins a hold and returns its name, for `keepHold`: no server on the database removes bytes; with `readAt`, none that
 * the rows of that time name. What is left is removed after it.
 */
export async function beginHold({ db, leases }: HoldDeps, readAt?: number): Promise<string> {
  const name = newBackupLease(readAt)
  await db.touch(() => leases.begin(name))
  return name
}

/** Runs something while a hold lasts, and ends the hold. */
export const keepHold = <Result>({ leases }: HoldDeps, name: string, work: () => Promise<Result>): Promise<Result> =>
  keepLease(leases, name, new AbortController().signal, work)

/** Runs something while no server on the database removes bytes. */
export async function withHold<Result>(deps: HoldDeps, work: () => Promise<Result>): Promise<Result> {
  const { db, leases } = deps
  // Revoke the leases of killed backups, including those from the database that this one was restored from.
  for (const name of await leases.findAbandoned(backupPrefix)) await db.touch(() => leases.revoke(name))
  return keepHold(deps, await beginHold(deps), work)
}
