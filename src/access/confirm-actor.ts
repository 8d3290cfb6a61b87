/** Checks an admitted caller again, because their rights can end during a request. */
import type { Permission } from '../api/permissions.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Principal, Visitor } from './actor.ts'
import { findLiveKey, sharedPermissions } from './key-account.ts'
import { confirmLink } from './link-account.ts'
import { type AccountRow, findSessionAccount, permissionsOf } from './sessions.ts'

/** The error for an admitted actor whose access has ended. */
export const endedMeanwhile = (): AppError => new AppError('unauthenticated', 'Your access has ended meanwhile')

/** When (performance.now()) the rights of each actor were read last; every request has an actor of its own. */
const readAt = new WeakMap<Principal, number>()

/** Notes when the rights of an admitted actor were read, at the latest. */
export const noteAccess = (actor: Principal, at: number): void => void readAt.set(actor, at)

/** How long ago (ms) the rights of an actor were read: for ever if nobody knows. */
export const ageOfAccess = (actor: Principal): number =>
  performance.now() - (readAt.get(actor) ?? Number.NEGATIVE_INFINITY)

const isVisitor = (actor: Principal): actor is Visitor => actor.link !== null

/**
 * Throws `unauthenticated` if the actor's session or key has ended, `forbidden` if they have lost one of `permissions`,
 * and `not_found` if a visitor's link has stopped working.
 */
export async function confirmActor(db: Database, actor: Principal, permissions: Iterable<Permission>): Promise<void> {
  const at = performance.now()
  if (isVisitor(actor)) await confirmLink(db, actor)
  else await confirmAccount(db, actor, permissions)
  if (permissions === actor.permissions) noteAccess(actor, at)
}

/** What an account may do by a session or key. */
interface Access {
  account: AccountRow
  permissions: readonly Permission[]
}

/** Reads anew what the actor may do; undefined if their session or key has ended. */
export async function findAccess(db: Database, { key, sessionId }: Principal): Promise<Access | undefined> {
  if (key === null) {
    const account = await findSessionAccount(db, sessionId)
    return account && { account, permissions: permissionsOf(account) }
  }
  const account = await findLiveKey(db, key.id)
  return account && { account, permissions: sharedPermissions(account) }
}

async function confirmAccount(db: Database, actor: Principal, permissions: Iterable<Permission>): Promise<void> {
  const { key, sessionId } = actor
  // At the terminal there is no session or key that could have ended.
  if (key === null && sessionId === null) return
  const access = await findAccess(db, actor)
  if (access === undefined) throw endedMeanwhile()
  if (![...permissions].every(permission => access.permissions.includes(permission))) {
    throw new AppError('forbidden', 'Your rights have just changed, try again')
  }
}
