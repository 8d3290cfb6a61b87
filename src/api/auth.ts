/** Sign-in and sign-out, and the caller's own profile, password and sessions. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { atMostUnits, givenPassword, newPassword, nothing, onlyId, time } from './fields.ts'
import { permissionKey } from './permissions.ts'
import { preferences, somePreferences } from './preferences.ts'
import { sharingSettings } from './sharing-settings.ts'
import { email, fullName, user } from './users.ts'

export const profile = z.extend(user, {
  permissions: z.array(permissionKey),
  /** Bytes of the quota that unfinished uploads hold free, beside those in use. */
  storage_reserved: z.int(),
  must_change_password: z.boolean(),
  preferences,
  /** The settings of sharing, which bind every user. */
  sharing: sharingSettings,
})
/** The caller's own profile: the user, with the permissions of the session or key that asks. */
export type Profile = z.output<typeof profile>

const bothNeeded = 'Please enter both username and password'

export const login = endpoint(
  'POST',
  '/auth/login',
  z.strictObject({
    username: z.string().check(z.trim(), atMostUnits(256, 'Username is too long'), z.minLength(1, bothNeeded)),
    password: z.pipe(z.string().check(z.minLength(1, bothNeeded)), givenPassword),
  }),
).returns(z.object({ user: profile }), about('Sign in', { errors: ['forbidden', 'bad_origin'] }))

export const logout = endpoint('POST', '/auth/logout', nothing).returns(z.null(), about('Sign out'))

export const getProfile = endpoint('GET', '/auth/profile', nothing).returns(
  profile,
  about("Get the caller's profile and permissions"),
)

export const updateProfile = endpoint(
  'PUT',
  '/auth/profile',
  z.strictObject({ email: z.optional(email), full_name: fullName }),
).returns(profile, about("Change the caller's email or full name", { errors: ['name_taken'] }))

/** Sets the given preferences; the others stay. `column_widths` is replaced as a whole. */
export const updatePreferences = endpoint('PUT', '/auth/preferences', somePreferences).returns(
  preferences,
  about('Change how the caller likes to see files', {
    remark: 'The web app keeps here what it is to show on every device. No event is recorded.',
  }),
)

/**
 * Changes the password. This ends every other session of the user and, unless `end_device_keys` is false, deletes the
 * device keys. A wrong current password is 400 on that field.
 */
export const changePassword = endpoint(
  'PUT',
  '/auth/password',
  z.strictObject({
    current_password: givenPassword,
    new_password: newPassword,
    end_device_keys: z.optional(z.boolean()),
  }),
).returns(
  profile,
  about("Change the caller's password; ends all other sessions and the device keys", {
    remark: 'With `end_device_keys: false` the device keys go on working.',
  }),
)

export const session = z.object({
  id: z.int(),
  created_at: time,
  last_seen_at: time,
  address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  /** Whether this is the session that makes the request. */
  current: z.boolean(),
})
export type Session = z.output<typeof session>

/** Sorted by last use, the most recent first. */
export const listSessions = endpoint('GET', '/auth/sessions', nothing).returns(
  z.object({ sessions: z.array(session) }),
  about("List the caller's sessions, the most recently used first"),
)
export const endSession = endpoint('DELETE', '/auth/sessions/:id', onlyId).returns(
  z.null(),
  about("End one of the caller's sessions"),
)
