/** Unlocks a link for a visitor's browser by its password. */

import { writeActor } from '../access/actor.ts'
import { callerOf } from '../access/network.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { turnOf } from '../db/write-actor.ts'
import type { Deps } from '../deps.ts'
import type { GuestCall } from '../route.ts'
import { addVisit, type VisitedLink } from './visits.ts'

const wrongPassword = (): AppError => new AppError('password_required', 'Wrong password')

/**
 * The link if the password that was compared is still its own: comparing takes a while, and who changes it ends the
 * visits of all who gave the old one. On MariaDB the row stays locked until the visit is there.
 */
async function findLockedBy(db: Database, id: number, hash: string): Promise<VisitedLink | undefined> {
  await db.lock({ table: 'links', column: 'id', value: id })
  const row = await db.row<VisitedLink & { password_hash: string | null }>(
    `SELECT id, visit_round, password_hash FROM links WHERE id = $1 AND is_active = 1`,
    [id],
  )
  return row?.password_hash === hash ? row : undefined
}

/**
 * Begins a visit for a browser that gives the right password; always a new one, so that no visit is planted. Throws
 * `password_required` for a wrong password, and `rate_limited`.
 */
export async function unlock(
  { db, passwords, linkLimits, journal }: Pick<Deps, 'db' | 'passwords' | 'linkLimits' | 'journal'>,
  { link, visitor, visit, input }: GuestCall<{ password: string }>,
): Promise<void> {
  const { password_hash: hash } = link
  if (hash === null) return
  const { address } = visitor
  const caller = callerOf(`link ${link.id}`, address)
  const isKnown = await visit.isKnown(link)
  const attempt = () => linkLimits.tryPassword(link.id, address, isKnown)
  if (!(await passwords.verify(hash, input.password, caller, attempt))) {
    journal.refuse({
      actor: writeActor(visitor),
      action: 'link.refuse',
      itemId: link.item_id,
      detail: { name: link.item_name },
    })
    throw wrongPassword()
  }
  await linkLimits.succeed(link.id, address, isKnown)
  await db.touch(
    async () => {
      const locked = await findLockedBy(db, link.id, hash)
      if (locked === undefined) throw wrongPassword()
      await addVisit(db, locked, visit.begin(), 0)
    },
    turnOf(writeActor(visitor)),
  )
  await visit.remember(link)
}
