/** How a user likes to see files. */
import type { Actor } from '../access/actor.ts'
import type { updatePreferences as endpoint } from '../api/auth.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { defaultPreferences, type Preferences } from '../api/preferences.ts'
import { accountGone } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { storedPreferences } from '../db/models/users.ts'
import { readStored } from '../db/stored-json.ts'

interface Stored {
  id: number
  preferences: string | null
}

/** What a user has changed. */
const changedBy = ({ id, preferences }: Stored): Partial<Preferences> =>
  preferences === null ? {} : readStored(storedPreferences, preferences, `users ${id}`)

export const preferencesOf = (user: Stored): Preferences => ({ ...defaultPreferences, ...changedBy(user) })

/** The user's row, locked until the commit; SQLite has one writer at a time and needs no lock. */
const lockUser = (db: Database, id: number): Promise<Stored | undefined> =>
  db.row<Stored>(`SELECT id, preferences FROM users WHERE id = $1 ${db.dialect === 'mariadb' ? 'FOR UPDATE' : ''}`, [
    id,
  ])

/**
 * Sets the given preferences of the actor and returns all. It is a touch(), because nobody else sees what it changes.
 * Throws `unauthenticated` if the account is gone.
 */
export const updatePreferences = (
  db: Database,
  { userId }: Actor,
  input: ParsedInputOf<typeof endpoint>,
): Promise<Preferences> =>
  db.touch(async () => {
    const user = await lockUser(db, userId)
    if (user === undefined) throw accountGone()
    const preferences = JSON.stringify({ ...changedBy(user), ...input })
    if (preferences !== user.preferences) await db.update(db.users, { preferences }, userId)
    return preferencesOf({ id: userId, preferences })
  })
