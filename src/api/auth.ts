/** Signing in and out, the own profile and password. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { givenPassword, newPassword, nothing } from './fields.ts'
import type { Profile } from './users.ts'

export const login = endpoint(
  'POST',
  '/auth/login',
  z.strictObject({
    username: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter the username'), z.maxLength(256, 'Username is too long')),
    password: givenPassword,
  }),
).returns<{ user: Profile }>()

export const logout = endpoint('POST', '/auth/logout', nothing).returns<null>()

export const getProfile = endpoint('GET', '/auth/profile', nothing).returns<Profile>()

/** Ends every other session of the user. A wrong current password is 400 on that field. */
export const changePassword = endpoint(
  'PUT',
  '/auth/password',
  z.strictObject({ current_password: givenPassword, new_password: newPassword }),
).returns<Profile>()
