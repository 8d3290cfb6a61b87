/** User management for administrators. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import {
  atMostUnits,
  composable,
  cursor,
  limit,
  lineOfText,
  newPassword,
  textBlock,
  textId,
  time,
  wholeNumber,
} from './fields.ts'
import { maxEmailLength, maxFullNameLength, maxRoleNameLength, maxUsernameLength } from './limits.ts'

export const user = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  full_name: z.nullable(z.string()),
  /** The name of the user's role. */
  role: z.string(),
  /** Bytes. */
  storage_used: z.int(),
  /** Bytes. */
  storage_quota: z.int(),
  is_active: z.boolean(),
  created_at: time,
})
export type User = z.output<typeof user>

/** The form used for comparing (NFKC, lower case) may be longer than the input; its column holds `max` characters. */
const fitsWhenCompared = (max: number) => (text: string) => text.normalize('NFKC').toLowerCase().length <= max

/** Characters that a username cannot have, because nobody sees them. */
export const hiddenCharacters = /[\s\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu
export const emailForm = /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u

/** Compared by username_key. Invisible characters are refused because they would make two names look the same. */
export const username = z.string().check(
  z.trim(),
  atMostUnits(maxUsernameLength, `Username is longer than ${maxUsernameLength} characters`),
  composable,
  z.minLength(1, 'Username is required'),
  z.refine(
    name => name.search(hiddenCharacters) === -1 && name.isWellFormed(),
    'Username cannot contain spaces or invisible characters',
  ),
  // These characters occur in `id:1`, paths and Windows account names, so a username in a command would be ambiguous.
  z.regex(/^[^:/\\]*$/, "Username cannot contain ':', '/' or '\\'"),
  z.refine(fitsWhenCompared(255), 'Username is too long'),
)

/** One @ with text before and after it. Whether mail arrives there cannot be checked by syntax. */
export const email = z.string().check(
  z.trim(),
  atMostUnits(maxEmailLength, `Email is longer than ${maxEmailLength} characters`),
  composable,
  z.minLength(1, 'Email is required'),
  z.regex(emailForm, 'Expected an email address'),
  z.refine(text => text.isWellFormed(), 'Expected an email address'),
  z.refine(fitsWhenCompared(320), 'Email is too long'),
)

/** Empty and null mean no name. */
export const fullName = z.optional(z.nullable(textBlock('Full name', maxFullNameLength)))

/** Blank counts as absent: a new user gets a generated password, an existing user keeps theirs. */
const blankOrPassword = z.optional(z.union([z.literal(''), newPassword]))

const role = lineOfText('Role', maxRoleNameLength)

export const listUsers = endpoint('GET', '/users', z.strictObject({ limit, cursor })).returns(
  z.object({ users: z.array(user), total: z.int(), next_cursor: z.nullable(z.string()) }),
  about('List the users'),
)

/** If no password is given, the server generates one, returns it only here, and requires a change at first sign-in. */
export const createUser = endpoint(
  'POST',
  '/users',
  z.strictObject({
    username,
    email,
    full_name: fullName,
    password: blankOrPassword,
    role: z.optional(role),
    storage_quota: z.optional(wholeNumber),
  }),
).returns(
  z.object({ user, show_temp_password: z.optional(z.literal(true)), temp_password: z.optional(z.string()) }),
  about('Make a user; without a password one is generated, and only this answer shows it', {
    errors: ['name_taken'],
    statuses: [201],
  }),
)

export const updateUser = endpoint(
  'PUT',
  '/users/:id',
  z.strictObject({
    id: textId,
    email: z.optional(email),
    full_name: fullName,
    role: z.optional(role),
    storage_quota: z.optional(wholeNumber),
    password: blankOrPassword,
    is_active: z.optional(z.boolean()),
  }),
).returns(
  z.object({
    user,
    /** The team folders that nobody active manages because the user was disabled. */
    unmanaged_spaces: z.array(z.object({ id: z.int(), name: z.string() })),
  }),
  about('Change a user', {
    remark:
      'A new password ends all sessions and API keys of the user. `unmanaged_spaces` are the team folders that no active user manages because this one was disabled.',
    errors: ['name_taken', 'protected'],
  }),
)

/** Deletes a user. If they own files, 409 unless `files` says what to do with them; `to` is the user who gets them. */
export const deleteUser = endpoint(
  'DELETE',
  '/users/:id',
  z
    .strictObject({
      id: textId,
      files: z.optional(z.enum(['delete', 'transfer'])),
      to: z.optional(textId),
      spaces_to: z.optional(textId),
    })
    .check(
      z.refine(input => (input.files === 'transfer') === (input.to !== undefined), {
        error: "'to' says who gets the files, and goes with files=transfer",
        path: ['to'],
      }),
    ),
).returns(
  z.null(),
  about('Delete a user; `files` says what happens to their files', {
    remark: 'Who is the only manager of a team folder stays (409) unless `spaces_to` is the user who manages it then.',
    errors: ['in_use', 'protected', 'quota_exceeded'],
  }),
)
