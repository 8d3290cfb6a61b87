/** Builds users, folders and files for tests; what a test does not name is filled in. */
import { randomBytes } from 'node:crypto'
import { createFolder, type FileDetails } from '../../src/api/files.ts'
import { createApiKey, type KeyKind } from '../../src/api/keys.ts'
import { type Permission, permissionCatalogue } from '../../src/api/permissions.ts'
import { systemActor } from '../../src/db/write.ts'
import { createUser } from '../../src/users/create-user.ts'
import { openClient, signIn, type TestClient, type UploadForm } from './client.ts'
import type { TestServer } from './server.ts'

/** What the system role `user` starts with. */
export const userRolePermissions: readonly Permission[] = permissionCatalogue
  .filter(entry => entry.category !== 'Administration')
  .map(entry => entry.key)

const unique = (): string => randomBytes(5).toString('hex')

export interface BuiltUser extends TestClient {
  id: number
  username: string
  password: string
}

export interface UserOptions {
  username?: string
  password?: string
  role?: string
  /** Bytes. */
  storageQuota?: number
  mustChangePassword?: boolean
}

/** A user who has signed in. */
export async function buildUser(server: TestServer, options: UserOptions = {}): Promise<BuiltUser> {
  const username = options.username ?? `user-${unique()}`
  const password = options.password ?? `password-${unique()}`
  const { db, passwords } = server.deps
  const id = await createUser(db, systemActor, {
    username,
    email: `${unique()}@example.org`,
    passwordHash: await passwords.hash(password),
    role: options.role ?? 'user',
    storageQuota: options.storageQuota,
    mustChangePassword: options.mustChangePassword,
  })
  return { ...(await signIn(server.url, username, password)), id, username, password }
}

export async function buildFolder(
  client: TestClient,
  name = `folder-${unique()}`,
  parentId: number | null = null,
): Promise<FileDetails> {
  return (await client.call(createFolder, { name, parent_id: parentId })).file
}

export const buildFile = (
  client: TestClient,
  form: UploadForm = {},
  bytes: string | Buffer = `bytes ${unique()}`,
): Promise<FileDetails> => client.upload(bytes, { name: `file-${unique()}.txt`, ...form })

/** A client that signs its requests with a new API key of a user. */
export async function buildKey(
  server: TestServer,
  owner: TestClient,
  permissions: Permission[],
  kind: KeyKind = 'script',
): Promise<TestClient & { id: number; keyId: string; secret: string }> {
  const key = await owner.call(createApiKey, { name: `key-${unique()}`, permissions, kind })
  const client = openClient(server.url, { 'x-api-key-id': key.key_id, 'x-api-secret': key.secret })
  return { ...client, id: key.id, keyId: key.key_id, secret: key.secret }
}

/** Disables a user, as an administrator would. */
export async function disableUser({ deps: { db } }: TestServer, id: number): Promise<void> {
  await db.touch(() => db.change('UPDATE users SET is_active = 0 WHERE id = $1', [id]))
}

/** A folder in a folder in a folder; gives back their ids, the outermost first. */
export async function buildChain(client: TestClient, depth: number, parentId: number | null = null): Promise<number[]> {
  const ids: number[] = []
  for (let level = 0; level < depth; level++) {
    ids.push((await buildFolder(client, undefined, ids.at(-1) ?? parentId)).id)
  }
  return ids
}
