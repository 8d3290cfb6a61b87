/** Builds users, folders and files for tests, with defaults for everything that a test does not set. */
import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { callerOf } from '../../src/access/network.ts'
import type { InputOf } from '../../src/api/endpoint.ts'
import { createFolder } from '../../src/api/files.ts'
import { createGroup, type GroupDetails } from '../../src/api/groups.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { createApiKey, type KeyKind } from '../../src/api/keys.ts'
import { maxRateLimits } from '../../src/api/limits.ts'
import { createField, type MetadataField } from '../../src/api/metadata.ts'
import { type Permission, permissionCatalogue } from '../../src/api/permissions.ts'
import { type SettingKey, updateSetting } from '../../src/api/settings.ts'
import type { ShareLevel } from '../../src/api/share-levels.ts'
import { createShare, type Share } from '../../src/api/shares.ts'
import { createSpace, type Space } from '../../src/api/spaces.ts'
import { createTag, type Tag } from '../../src/api/tags.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import { createUser } from '../../src/users/create-user.ts'
import { openClient, signIn, type TestClient, type UploadForm } from './client.ts'
import type { TestServer } from './test-server.ts'

/** The permissions of the system role `user` on a new server. */
export const userRolePermissions: readonly Permission[] = permissionCatalogue
  .filter(entry => entry.category !== 'Administration')
  .map(entry => entry.key)

const unique = (): string => randomBytes(5).toString('hex')
/** Letters only, because names of metadata fields have no digits. */
const uniqueLetters = (): string => unique().replace(/\d/g, digit => 'ghijklmnop'.charAt(Number(digit)))

export interface BuiltUser extends TestClient {
  id: number
  username: string
  password: string
}

export interface UserOptions {
  username?: string
  password?: string
  role?: string
  /** In bytes. */
  storageQuota?: number
  mustChangePassword?: boolean
  /** Hashes the password at the server's real cost, for tests about that cost. */
  isCostly?: boolean
}

/** A hash a thousand times cheaper than the default; the server reads the cost from the hash itself. */
const lowCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Builds a user and signs in. */
export async function buildUser(server: TestServer, options: UserOptions = {}): Promise<BuiltUser> {
  const username = options.username ?? `user-${unique()}`
  const password = options.password ?? `password-${unique()}`
  const { db, passwords } = server.deps
  const passwordHash = await (options.isCostly
    ? passwords.hash(password, callerOf(username, null))
    : hash(password, lowCost))
  const id = await createUser(db, systemActor, {
    username,
    email: `${unique()}@example.org`,
    passwordHash,
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

export const buildTag = async (client: TestClient, name = `tag-${unique()}`, color = '#3B82F6'): Promise<Tag> =>
  (await client.call(createTag, { name, color })).tag

/** Options of a new key besides its permissions. */
type KeyOptions = Omit<InputOf<typeof createApiKey>, 'name' | 'permissions' | 'kind'>

/** The highest rate limits of a script key, because few tests are about limits. */
const highestLimits: KeyOptions = {
  rate_limit_per_minute: maxRateLimits.minute,
  rate_limit_per_hour: maxRateLimits.hour,
  rate_limit_per_day: maxRateLimits.day,
}

/** A client that uses a new API key of the user; with the options `{}` the key has the product's default limits. */
export async function buildKey(
  server: Pick<TestServer, 'url'>,
  owner: TestClient,
  permissions: Permission[],
  kind: KeyKind = 'script',
  options: KeyOptions = kind === 'script' ? highestLimits : {},
): Promise<TestClient & { id: number; keyId: string; secret: string }> {
  const password = kind === 'device' ? { current_password: owner.password } : {}
  const key = await owner.call(createApiKey, { name: `key-${unique()}`, permissions, kind, ...password, ...options })
  const client = openClient(server.url, { 'x-api-key-id': key.key_id, 'x-api-secret': key.secret })
  return { ...client, id: key.id, keyId: key.key_id, secret: key.secret }
}

/** Disables a user, like an administrator. */
export async function disableUser({ deps: { db } }: TestServer, id: number): Promise<void> {
  await db.touch(() => db.change('UPDATE users SET is_active = 0 WHERE id = $1', [id]))
}

/** Builds nested folders; returns their ids, the outermost first. */
export async function buildChain(client: TestClient, depth: number, parentId: number | null = null): Promise<number[]> {
  const ids: number[] = []
  for (let level = 0; level < depth; level++) {
    ids.push((await buildFolder(client, undefined, ids.at(-1) ?? parentId)).id)
  }
  return ids
}

/** Builds a custom role with exactly these permissions; returns its name. */
export async function buildRole({ deps: { db } }: TestServer, permissions: readonly Permission[]): Promise<string> {
  const name = `role-${unique()}`
  await db.touch(async () => {
    const times = { created_at: 0, updated_at: 0 }
    const id = await db.insert(db.roles, { name, description: '', is_system: 0, ...times })
    for (const permission of permissions) {
      await db.change(
        'INSERT INTO role_permissions (role_id, permission_id) SELECT $1, id FROM permissions WHERE `key` = $2',
        [id, permission],
      )
    }
  })
  return name
}

/** Builds a user with the permissions of a plain user who may also decide on files. */
export const buildReviewer = async (server: TestServer): Promise<BuiltUser> =>
  buildUser(server, { role: await buildRole(server, [...userRolePermissions, 'validation:review']) })

/** Changes some of the system's settings. */
export async function turnSettings(admin: TestClient, wanted: Partial<Record<SettingKey, boolean>>): Promise<void> {
  for (const key of Object.keys(wanted) as SettingKey[]) {
    await admin.call(updateSetting, { key, value: wanted[key] ? 'true' : 'false' })
  }
}

/** Builds a metadata field, by default of type text. */
export const buildField = (
  admin: TestClient,
  field: Partial<InputOf<typeof createField>> = {},
): Promise<MetadataField> =>
  admin.call(createField, { name: `field_${uniqueLetters()}`, label: 'A field', field_type: 'text', ...field })

/** Gives a user, or the group with an id, access to an item. */
export const buildShare = async (
  giver: TestClient,
  item: { id: number },
  to: { id: number } | { group_id: number },
  level: ShareLevel,
): Promise<Share> =>
  (
    await giver.call(createShare, {
      item_id: item.id,
      level,
      ...('group_id' in to ? { group_id: to.group_id } : { user_id: to.id }),
    })
  ).share

/** A team folder with one manager; `admin` may manage team folders. */
export const buildTeam = async (
  admin: TestClient,
  manager: { id: number },
  name = `team-${unique()}`,
): Promise<Space> => (await admin.call(createSpace, { name, manager_ids: [manager.id] })).space

export const buildGroup = async (admin: TestClient, members: readonly { id: number }[]): Promise<GroupDetails> =>
  (await admin.call(createGroup, { name: `group-${unique()}`, member_ids: members.map(({ id }) => id) })).group
