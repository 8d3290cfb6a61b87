/** The world of the matrix: one server, users with every kind of role, and items in every state. */
import { randomBytes } from 'node:crypto'
import type { FileDetails } from '../../src/api/items.ts'
import { type Permission, permissionKeys } from '../../src/api/permissions.ts'
import { createRole, listPermissions } from '../../src/api/roles.ts'
import { updateSetting } from '../../src/api/settings.ts'
import { createTag } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { createUser, updateUser } from '../../src/api/users.ts'
import { decideFile } from '../../src/api/validation.ts'
import { openClient, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildUser,
  userRolePermissions,
} from '../support/factories.ts'
import type { TestServer } from '../support/test-server.ts'
import type { ItemState } from './expectations.ts'

export const unique = (): string => randomBytes(6).toString('hex')

/** An image, so that every call about files has an answer, even the thumbnail. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
)

/** A client with its user and permissions. */
export interface Caller {
  label: string
  client: TestClient
  /** The user whose items are the caller's own. */
  user: BuiltUser
  permissions: ReadonlySet<Permission>
  with: 'session' | 'key' | 'nothing'
}

export type Kind = 'file' | 'folder'

export interface World {
  server: TestServer
  /** Plain users; the matrix takes the owner's items as those of another user. */
  owner: Caller
  other: Caller
  reviewer: Caller
  admin: Caller
  /** Has all permissions of an administrator, under a role of another name. */
  deputy: Caller
  deputyRole: string
  /** Has no credentials. */
  nobody: Caller
  /** A role with one permission, so a caller needs only that permission to assign it. */
  roleOf(permission: Permission): Promise<{ id: number; name: string }>
  /** The id of a permission for `permission_ids`. */
  permissionId(permission: Permission): number
  /** A key of the deputy with exactly these permissions. */
  key(permissions: readonly Permission[], label?: string): Promise<Caller>
  /** A user whose role has only this permission. */
  loner(permission: Permission): Promise<Caller>
  /** Creates a user for the call to act on, and returns the id. */
  newUser(role: string): Promise<number>
  /** The id of a user with a file, and with no more permissions than a manager of users. */
  weakOwner(): Promise<number>
  /** A user with the same role and a new session, for calls that end the session. */
  twinOf(caller: Caller): Promise<Caller>
  /** An item that all calls share that do not change it. */
  item(user: BuiltUser, kind: Kind, state: ItemState): Promise<FileDetails>
  newItem(user: BuiltUser, kind: Kind, state: ItemState): Promise<FileDetails>
  tagOf(user: BuiltUser): Promise<number>
  /** A plain user who is no caller of the matrix. */
  guest(): Promise<BuiltUser>
}

/** Caches what `make` returns for a key, so that concurrent calls share one promise. */
export function remember<Value>(make: (...parts: never[]) => Promise<Value>) {
  const made = new Map<string, Promise<Value>>()
  return (key: string, ...parts: unknown[]): Promise<Value> => {
    const value = made.get(key) ?? make(...(parts as never[]))
    made.set(key, value)
    return value
  }
}

async function buildState(user: BuiltUser, judge: TestClient, state: ItemState): Promise<FileDetails> {
  let file = await buildFile(user, { name: `item-${unique()}.png` }, png)
  const status = state.endsWith('rejected') ? 'rejected' : 'approved'
  if (!state.endsWith('pending')) file = (await judge.call(decideFile, { file_id: file.id, status })).file
  if (state.startsWith('trashed')) await user.call(trashFile, { id: file.id })
  return file
}

async function buildFolderState(user: BuiltUser, state: ItemState): Promise<FileDetails> {
  const folder = await buildFolder(user)
  if (state === 'trashed') await user.call(trashFile, { id: folder.id })
  return folder
}

const addTag = async (user: BuiltUser): Promise<number> =>
  (await user.call(createTag, { name: `tag-${unique()}`, color: '#3B82F6' })).tag.id

const toCaller = (label: string, user: BuiltUser, permissions: readonly Permission[]): Caller => ({
  label,
  client: user,
  user,
  permissions: new Set(permissions),
  with: 'session',
})

/** Builds the users, and turns validation on so that uploads wait for approval. */
export async function buildWorld(server: TestServer): Promise<World> {
  const admin = toCaller('admin', await buildUser(server, { role: 'admin' }), permissionKeys)
  const { permissions } = await admin.client.call(listPermissions, {})
  const permissionId = (key: Permission): number => permissions.find(entry => entry.key === key)?.id ?? 0
  const makeRole = async (name: string, keys: readonly Permission[]) =>
    (await admin.client.call(createRole, { name, permission_ids: keys.map(permissionId) })).role
  const review: Permission[] = [...userRolePermissions, 'validation:review']
  await makeRole('reviewer', review)
  const deputyRole = (await makeRole('deputy', permissionKeys)).name
  const owner = toCaller('owner', await buildUser(server), userRolePermissions)
  const other = toCaller('other', await buildUser(server), userRolePermissions)
  const reviewer = toCaller('reviewer', await buildUser(server, { role: 'reviewer' }), review)
  const deputy = toCaller('deputy', await buildUser(server, { role: deputyRole }), permissionKeys)
  const nobody: Caller = { ...toCaller('nobody', owner.user, []), client: openClient(server.url), with: 'nothing' }
  await admin.client.call(updateSetting, { key: 'validation_enabled', value: 'true' })

  // Reviewers may not decide on their own files.
  const judgeOf = (user: BuiltUser) => (user.id === admin.user.id ? reviewer.client : admin.client)
  const newItem = (user: BuiltUser, kind: Kind, state: ItemState) =>
    kind === 'file' ? buildState(user, judgeOf(user), state) : buildFolderState(user, state)
  const items = remember(newItem)
  const roles = remember((key: Permission) => makeRole(`only-${unique()}`, [key]))
  const tags = remember(addTag)
  const keys = remember(async (label: string, held: Permission[]): Promise<Caller> => {
    const client = await buildKey(server, deputy.user, held)
    return { label, client, user: deputy.user, permissions: new Set(held), with: 'key' }
  })
  const roleOf = (permission: Permission) => roles(permission, permission)
  const loners = remember(async (permission: Permission) => {
    const { name } = await roleOf(permission)
    return toCaller(`a user with ${permission}`, await buildUser(server, { role: name }), [permission])
  })
  const newUser = async (role: string) => {
    const account = { username: `user-${unique()}`, email: `${unique()}@example.org`, password: unique(), role }
    return (await admin.client.call(createUser, account)).user.id
  }
  const guests = remember(() => buildUser(server))
  const weakOwners = remember(async () => {
    const user = await buildUser(server)
    await buildFile(user)
    await admin.client.call(updateUser, { id: user.id, role: (await roleOf('users:manage')).name })
    return user.id
  })
  const twinOf = async (caller: Caller): Promise<Caller> => {
    const role = { [owner.label]: 'user', [reviewer.label]: 'reviewer', [admin.label]: 'admin' }[caller.label]
    return toCaller(caller.label, await buildUser(server, { role }), [...caller.permissions])
  }

  return {
    server,
    owner,
    other,
    reviewer,
    admin,
    deputy,
    deputyRole,
    nobody,
    permissionId,
    newItem,
    twinOf,
    roleOf,
    newUser,
    loner: permission => loners(permission, permission),
    weakOwner: () => weakOwners(''),
    key: (held, label = `a key with ${held.join(' and ')}`) => keys(label, label, [...held]),
    item: (user, kind, state) => items(`${user.id} ${kind} ${state}`, user, kind, state),
    tagOf: user => tags(String(user.id), user),
    guest: () => guests(''),
  }
}
