/** Keeps bytes without a row in the store: a backup may have read their row, or an import is about to add it. */
import { randomUUID } from 'node:crypto'
import { backupPrefix } from '../../db/leases.ts'
import { keepLease } from '../../db/with-lease.ts'
import type { Deps } from '../../deps.ts'

/** Runs something while no server on the database removes bytes; the sweeper removes them later. */
export async function withHold<Result>({ db, leases }: Deps, work: () => Promise<Result>): Promise<Result> {
  // Revoke the leases of killed backups, including those from the database that this one was restored from.
  for (const name of await leases.findAbandoned(backupPrefix)) await db.touch(() => leases.revoke(name))
  const name = backupPrefix + randomUUID()
  await db.touch(() => leases.begin(name))
  return keepLease(leases, name, new AbortController().signal, work)
}
