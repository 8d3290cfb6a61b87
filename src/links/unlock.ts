/** Unlocks a link for a visitor's browser by its password. */
import { writeActor } from '../access/actor.ts'
import { callerOf } from '../access/network.ts'
import { AppError } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import type { GuestCall } from '../route.ts'
import { addVisit } from './visits.ts'

/**
 * Begins a visit for a browser that gives the right password; always a new one, so that no visit is planted. Throws
 * `password_required` for a wrong password, and `rate_limited`.
 */
export async function unlock(
  { db, passwords, linkLimits, journal }: Pick<Deps, 'db' | 'passwords' | 'linkLimits' | 'journal'>,
  { link, visitor, visit, input }: GuestCall<{ password: string }>,
): Promise<void> {
  if (link.password_hash === null) return
  const { address } = visitor
  const caller = callerOf(`link ${link.id}`, address)
  const attempt = () => linkLimits.tryPassword(link.id, address)
  if (!(await passwords.verify(link.password_hash, input.password, caller, attempt))) {
    journal.refuse({
      actor: writeActor(visitor),
      action: 'link.refuse',
      itemId: link.item_id,
      detail: { name: link.item_name },
    })
    throw new AppError('password_required', 'Wrong password')
  }
  await linkLimits.succeed(link.id, address)
  await db.touch(() => addVisit(db, link.id, visit.begin(), 0))
}
