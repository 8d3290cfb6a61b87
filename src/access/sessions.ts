/** The sessions table. Finds a session by the hash of the cookie's secret, with its user and the role's permissions. */
import { maxSessions, sessionLifetime } from '../api/limits.ts'
import type { Permission } from '../api/permissions.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Actor } from './actor.ts'
import { hashSecret } from './secrets.ts'

/** last_seen_at is written at most this often (ms). */
const seenEvery = 60_000

export interface AccountRow {
  user_id: number
  username: string
  is_active: 0 | 1
  must_change_password: 0 | 1
  space_id: number
  /** The role's permission keys, joined by commas; null for a role without any. */
  role_permissions: string | null
}

/** The id of the own space, and the role's permissions, of a row of `users` as u. */
export const ownSpace = "(SELECT s.id FROM spaces s WHERE s.owner_id = u.id AND s.kind = 'personal')"
export const rolePermissions = `(SELECT GROUP_CONCAT(p.\`key\`) FROM role_permissions rp
    JOIN permissions p ON p.id = rp.permission_id WHERE rp.role_id = u.role_id)`

/** The columns that a session or key needs of its user, from `users` as u. */
export const accountColumns = `u.id AS user_id, u.username, u.is_active, u.must_change_password,
  ${ownSpace} AS space_id, ${rolePermissions} AS role_permissions`

export const permissionsOf = (account: Pick<AccountRow, 'role_permissions'>): Permission[] =>
  (account.role_permissions?.split(',') ?? []) as Permission[]

/** The fields of an actor that come from its user's account. */
export const userOf = (account: AccountRow, address: string) => ({
  userId: account.user_id,
  username: account.username,
  root: { spaceId: account.space_id, folderId: null },
  permissions: new Set(permissionsOf(account)),
  link: null,
  mustChangePassword: account.must_change_password === 1,
  address,
})

export interface SessionAccount extends AccountRow {
  session_id: number
  last_seen_at: number
  expires_at: number
}

const fromSessions = 'FROM sessions x JOIN users u ON u.id = x.user_id WHERE u.is_active = 1'

/**
 * Returns the live session of a secret with its account; undefined if it is unknown or expired, or the user disabled.
 */
export async function findSession(db: Database, secret: string, now = Date.now()): Promise<SessionAccount | undefined> {
  const hash = hashSecret(secret)
  const session = await db.cached(`session ${hash}`, () =>
    db.row<SessionAccount>(
      `SELECT ${accountColumns}, x.id AS session_id, x.last_seen_at, x.expires_at
       ${fromSessions} AND x.hash = $1`,
      [hash],
    ),
  )
  return session !== undefined && session.expires_at > now ? session : undefined
}

/** Returns the account of a session that was found before; undefined if the session has ended since. */
export const findSessionAccount = (db: Database, id: number | null): Promise<AccountRow | undefined> =>
  db.row<AccountRow>(`SELECT ${accountColumns} ${fromSessions} AND x.id = $1 AND x.expires_at > $2`, [id, Date.now()])

/** Returns the actor of a session. */
export const sessionActor = (session: SessionAccount, address: string): Actor => ({
  ...userOf(session, address),
  sessionId: session.session_id,
  key: null,
})

/** Returns the password hash of a live session's user; null if the session has ended. */
export async function findPasswordHash(db: Database, sessionId: number | null): Promise<string | null> {
  const query = `SELECT u.password_hash ${fromSessions} AND x.id = $1 AND x.expires_at > $2`
  const row = await db.row<{ password_hash: string }>(query, [sessionId, Date.now()])
  return row?.password_hash ?? null
}

interface NewSession {
  secret: string
  userId: number
  username: string
  /** The hash that the typed password was compared with. */
  passwordHash: string
  data: string
  address: string
  userAgent: string | null
}

/**
 * Ends a user's sessions beyond 100, the least recently used first; keeps the session with the id `own`. Returns how
 * many it ended. Call it after a change of the user's row in the same write; so on MariaDB, of two sign-ins at once,
 * the second sees the first's session.
 */
const endSurplus = (db: Database, userId: number, own: number): Promise<number> =>
  db.change(
    `DELETE FROM sessions WHERE user_id = $1 AND id <> $2 AND id NOT IN (
       SELECT id FROM (
         SELECT id FROM sessions WHERE user_id = $1 AND id <> $2
         ORDER BY last_seen_at DESC, id DESC LIMIT ${maxSessions - 1}) AS kept)`,
    [userId, own],
  )

/**
 * Starts a session, and ends the least recently used ones beyond 100. Throws `unauthenticated` if the user has
 * meanwhile been disabled or deleted, or has a new password.
 */
export async function createSession(db: Database, session: NewSession, now = Date.now()): Promise<void> {
  const { userId, address } = session
  const userAgent = session.userAgent?.slice(0, 512) ?? null
  await db.write({ userId, name: session.username, keyId: null, address }, async record => {
    // Change the user's row first. A new session takes a shared lock on it on MariaDB; two sign-ins would then
    // deadlock.
    const found = await db.change(
      'UPDATE users SET last_login_at = $1 WHERE id = $2 AND is_active = 1 AND password_hash = $3',
      [now, userId, session.passwordHash],
    )
    if (found === 0) throw new AppError('unauthenticated', 'The account has changed meanwhile, sign in again')
    const id = await db.insert(db.sessions, {
      hash: hashSecret(session.secret),
      user_id: userId,
      data: session.data,
      address,
      user_agent: userAgent,
      created_at: now,
      last_seen_at: now,
      expires_at: now + sessionLifetime,
    })
    const ended = await endSurplus(db, userId, id)
    record('session.sign-in', { id }, { user_agent: userAgent, ...(ended === 0 ? {} : { ended }) })
  })
}

/** Saves that a session was used. It only updates, so a session that has ended stays ended. */
export async function keepSession(db: Database, secret: string, lastSeenAt: number, now = Date.now()): Promise<void> {
  if (now - lastSeenAt < seenEvery) return
  await db.touch(() =>
    db.change('UPDATE sessions SET last_seen_at = $1, expires_at = $2 WHERE hash = $3', [
      now,
      now + sessionLifetime,
      hashSecret(secret),
    ]),
  )
}

/** Ends a session at its user's request; does nothing if it has already ended. */
export async function signOut(db: Database, session: SessionAccount, address: string): Promise<void> {
  const { session_id: id, user_id: userId, username: name } = session
  await db.write({ userId, name, keyId: null, address }, async record => {
    if ((await db.change('DELETE FROM sessions WHERE id = $1', [id])) === 0) record.nothing()
    else record('session.sign-out', { id })
  })
}

/** The fields of a session that its user may see. */
export interface SessionRow {
  id: number
  created_at: number
  last_seen_at: number
  address: string | null
  user_agent: string | null
}

/** Returns a user's live sessions, the most recently used first. */
export const findSessions = (db: Database, userId: number, now = Date.now()): Promise<SessionRow[]> =>
  db.rows<SessionRow>(
    `SELECT id, created_at, last_seen_at, address, user_agent FROM sessions
     WHERE user_id = $1 AND expires_at > $2 ORDER BY last_seen_at DESC, id DESC`,
    [userId, now],
  )

/** Ends a user's sessions inside a write, except the one with the id `keep`. */
export async function endSessions(db: Database, userId: number, keep: number | null): Promise<void> {
  await db.change('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [userId, keep ?? 0])
}

/** Deletes expired sessions. */
export const deleteExpiredSessions = (db: Database, now = Date.now()): Promise<number> =>
  db.touch(() => db.change('DELETE FROM sessions WHERE expires_at <= $1', [now]))
