/** How a user likes to see files. */
import type { Actor } from '../access/actor.ts'
import type { updatePreferences as endpoint } from '../api/auth.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { defaultPreferences, type Preferences } from '../api/preferences.ts'
import { accountGone } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { storedPreferences } from '../db/models/users.ts'
import { readStored } from '../db/stored-json.ts'
import { turnOf } from '../db/write-actor.ts'
import { lockPreferences, type PreferencesRow } from './find.ts'

/** What a user has changed. */
const changedBy = ({ id, preferences }: PreferencesRow): Partial<Preferences> =>
  preferences === null ? {} : readStored(storedPreferences, preferences, `users ${id}`)

export const preferencesOf = (user: PreferencesRow): Preferences => ({ ...defaultPreferences, ...changedBy(user) })

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
    const user = await lockPreferences(db, userId)
    if (user === undefined) throw accountGone()
    const preferences = JSON.stringify({ ...changedBy(user), ...input })
    if (preferences !== user.preferences) await db.update(db.users, { preferences }, userId)
    return preferencesOf({ id: userId, preferences })
  }, turnOf({ userId }))
