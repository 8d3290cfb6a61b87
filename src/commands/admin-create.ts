/** `filestore admin create`: one more administrator, also while the server runs. */
import { z } from 'zod/mini'
import { newPassword } from '../api/fields.ts'
import { maxUsernameLength } from '../api/limits.ts'
import { type Flags, readConfig } from '../config.ts'
import { migrateUp } from '../db/migrate.ts'
import { systemActor } from '../db/write.ts'
import { AppError } from '../errors.ts'
import { openDeps } from '../server.ts'
import { createUser } from '../users/create-user.ts'

interface AdminInput {
  username: string
  email: string
  fullName: string | null
  password: string
}

const invisible = /[\s\p{Cc}\p{Cf}]/u

const schema = z.object({
  username: z.string().check(
    z.trim(),
    z.minLength(1, 'Username is required'),
    z.maxLength(maxUsernameLength, `Username is longer than ${maxUsernameLength} characters`),
    z.refine(name => !invisible.test(name), 'Username cannot contain white space or invisible characters'),
  ),
  email: z.string().check(z.trim(), z.email('Email is not an address'), z.maxLength(254, 'Email is too long')),
  password: newPassword,
})

/** Makes the administrator; gives back the name. Throws `invalid_input` and `name_taken`. */
export async function createAdmin(flags: Flags, input: AdminInput): Promise<string> {
  const result = schema.safeParse(input)
  if (!result.success) throw new AppError('invalid_input', result.error.issues[0]?.message ?? 'Invalid input')
  const { username, email, password } = result.data
  const config = readConfig(flags)
  await migrateUp(config.database)
  const { db, passwords } = await openDeps(config)
  try {
    const passwordHash = await passwords.hash(password)
    await createUser(db, systemActor, { username, email, fullName: input.fullName, passwordHash, role: 'admin' })
    return username
  } finally {
    await db.close()
  }
}
