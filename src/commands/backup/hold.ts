/** Keeps bytes in the store that have no row: those that a backup has read a row of, and those that an import brings. */
import { randomUUID } from 'node:crypto'
import { minute } from '../../base/clock.ts'
import { backupPrefix } from '../../db/leases.ts'
import type { Deps } from '../../deps.ts'

/** ms; a lease lasts two minutes. */
const renewTime = minute / 4

/** Runs something while every server on the database leaves bytes where they are; the sweeper takes them later. */
export async function withHold<Result>({ db, leases }: Deps, work: () => Promise<Result>): Promise<Result> {
  // Of backups that were killed, also those of the database that this one was restored from.
  for (const name of await leases.findAbandoned(backupPrefix)) await db.touch(() => leases.revoke(name))
  const name = backupPrefix + randomUUID()
  await db.touch(() => leases.begin(name))
  const timer = setInterval(() => leases.renew(name).catch(() => undefined), renewTime).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await leases.end(name)
  }
}
