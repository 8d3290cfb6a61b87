/**
 * Goes on with transfers that nobody works at any more, because their server was stopped or their request has failed.
 * As long as a process is at work, it has a lease. That only keeps others from the same work: each slice takes the locks
 * and reads anew.
 */
import type { SliceWrite } from '../access/confirmed-write.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockRoles } from '../db/lock-roles.ts'
import { keepLease, withLease } from '../db/with-lease.ts'
import { systemActor } from '../db/write-actor.ts'
import type { Deps } from '../deps.ts'
import { finishTransfer, settleTransfer } from './transfer.ts'
import type { Handover } from './transfer-wrapper.ts'

/** The lease of the transfer out of a space. The dot keeps one name from being the beginning of another. */
export const transferLease = (spaceId: number): string => `transfer:${spaceId}.`

/** As `finishTransfer`, with the lease, unless another process has it, which then does the same. */
export async function leaseTransfer(deps: Deps, write: SliceWrite, handover: Handover): Promise<void> {
  const { leases } = deps
  const name = transferLease(handover.from.spaceId)
  const work = () => finishTransfer(deps, write, handover)
  if (await leases.take(name)) await keepLease(leases, name, new AbortController().signal, work)
  else await work()
}

/** The active user to whom the items of a disabled user are going, inside a write or outside; undefined: nobody. */
const findReceiver = (db: Database, { spaceId }: Handover['from']): Promise<Handover['to'] | undefined> =>
  db.row(
    `SELECT heir.id AS userId, own.id AS spaceId FROM spaces s
       JOIN users giver ON giver.id = s.owner_id AND giver.is_active = 0
       JOIN files f ON f.id = s.transfer_folder_id AND f.space_id = s.id
       JOIN users heir ON heir.id = f.owner_id AND heir.id <> giver.id AND heir.is_active = 1
       JOIN spaces own ON own.owner_id = heir.id AND own.kind = 'personal'
     WHERE s.id = $1`,
    [spaceId],
  )

/** Ends a transfer without a receiver; the rest stays where it is, and the deletion can be repeated with another one. */
const settle = (db: Database, from: Handover['from']): Promise<void> =>
  db.write(systemActor, async record => {
    record.nothing()
    await lockRoles(db)
    if ((await findReceiver(db, from)) === undefined) await settleTransfer(db, from, record)
  })

async function goOn(deps: Deps, from: Handover['from'], signal: AbortSignal): Promise<void> {
  const { db, log } = deps
  const to = await findReceiver(db, from)
  if (to === undefined) return settle(db, from)
  const write: SliceWrite = work =>
    db.write(systemActor, async record => {
      await lockRoles(db)
      const now = await findReceiver(db, from)
      if (signal.aborted || now?.userId !== to.userId) throw new AppError('unavailable', 'The transfer must wait')
      return work(record)
    })
  log.info({ user: from.userId, to: to.userId }, 'finishing a transfer that was left half done')
  await finishTransfer(deps, write, { from, to })
}

/** Finishes or ends the transfers that have no lease. Their users stay, disabled, until somebody deletes them. */
export async function finishAbandonedTransfers(deps: Deps, signal: AbortSignal): Promise<void> {
  const { db, leases, log } = deps
  const begun = await db.rows<Handover['from']>(
    `SELECT sp.id AS spaceId, u.id AS userId, u.username FROM spaces sp JOIN users u ON u.id = sp.owner_id
     WHERE sp.transfer_folder_id IS NOT NULL`,
  )
  for (const from of begun) {
    if (signal.aborted) return
    const name = transferLease(from.spaceId)
    if (await leases.isHeld(name)) continue
    await withLease(leases, name, signal, held => goOn(deps, from, held)).catch(error =>
      log.warn({ err: error, user: from.userId }, 'a transfer is still half done'),
    )
  }
}
