/** The people and things of the matrix: one server, users of every sort, items in every state. */
import { randomBytes } from 'node:crypto'
import { trashFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { type Permission, permissionKeys } from '../../src/api/permissions.ts'
import { createRole, listPermissions } from '../../src/api/roles.ts'
import { updateSetting } from '../../src/api/settings.ts'
import { createTag } from '../../src/api/tags.ts'
import { decideFile } from '../../src/api/validation.ts'
import type { TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildUser,
  userRolePermissions,
} from '../support/factories.ts'
import type { TestServer } from '../support/server.ts'
import type { State } from './expectations.ts'

export const unique = (): string => randomBytes(6).toString('hex')

/** An image, so that every call about files finds something to answer. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
)

/** Somebody who calls. */
export interface Caller {
  label: string
  client: TestClient
  /** Whose things are the caller's own. */
  user: BuiltUser
  permissions: ReadonlySet<Permission>
  isKey: boolean
}

export type Kind = 'file' | 'folder'

export interface World {
  server: TestServer
  /** Plain users; what is another's is the owner's. */
  owner: Caller
  other: Caller
  reviewer: Caller
  admin: Caller
  /** A role of one permission, which nobody need lack to give it away. */
  roleOf(permission: Permission): Promise<{ id: number; name: string }>
  /** The id that `permission_ids` takes. */
  permissionId(permission: Permission): number
  /** A key of the administrator's that holds just these. */
  adminKey(permissions: readonly Permission[]): Promise<Caller>
  /** A user of the same sort with a session of their own, for calls that end it. */
  twinOf(caller: Caller): Promise<Caller>
  /** An item that is shared by all who leave it as it is. */
  item(user: BuiltUser, kind: Kind, state: State): Promise<FileDetails>
  newItem(user: BuiltUser, kind: Kind, state: State): Promise<FileDetails>
  tagOf(user: BuiltUser): Promise<number>
}

/** Remembers what was made for a key, also while it is being made. */
function remember<Value>(make: (...parts: never[]) => Promise<Value>) {
  const made = new Map<string, Promise<Value>>()
  return (key: string, ...parts: unknown[]): Promise<Value> => {
    const value = made.get(key) ?? make(...(parts as never[]))
    made.set(key, value)
    return value
  }
}

async function buildState(user: BuiltUser, judge: TestClient, state: State): Promise<FileDetails> {
  const file = await buildFile(user, { name: `item-${unique()}.png` }, png)
  if (state === 'pending') return file
  const status = state === 'rejected' ? 'rejected' : 'approved'
  const decided = (await judge.call(decideFile, { file_id: file.id, status })).file
  if (state === 'trashed') await user.call(trashFile, { id: file.id })
  return decided
}

async function buildFolderState(user: BuiltUser, state: State): Promise<FileDetails> {
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
  isKey: false,
})

/** The people, with validation switched on, so that uploads wait for approval. */
export async function buildWorld(server: TestServer): Promise<World> {
  const admin = toCaller('admin', await buildUser(server, { role: 'admin' }), permissionKeys)
  const { permissions } = await admin.client.call(listPermissions, {})
  const permissionId = (key: Permission): number => permissions.find(entry => entry.key === key)?.id ?? 0
  const makeRole = async (name: string, keys: readonly Permission[]) =>
    (await admin.client.call(createRole, { name, permission_ids: keys.map(permissionId) })).role
  const review: Permission[] = [...userRolePermissions, 'validation:review']
  await makeRole('reviewer', review)
  const owner = toCaller('owner', await buildUser(server), userRolePermissions)
  const other = toCaller('other', await buildUser(server), userRolePermissions)
  const reviewer = toCaller('reviewer', await buildUser(server, { role: 'reviewer' }), review)
  await admin.client.call(updateSetting, { key: 'validation_enabled', value: 'true' })

  // Nobody decides on their own file.
  const judgeOf = (user: BuiltUser) => (user.id === admin.user.id ? reviewer.client : admin.client)
  const newItem = (user: BuiltUser, kind: Kind, state: State) =>
    kind === 'file' ? buildState(user, judgeOf(user), state) : buildFolderState(user, state)
  const items = remember(newItem)
  const roles = remember((key: Permission) => makeRole(`only-${unique()}`, [key]))
  const tags = remember(addTag)
  const keys = remember(async (label: string, held: Permission[]): Promise<Caller> => {
    const client = await buildKey(server, admin.user, held)
    return { label, client, user: admin.user, permissions: new Set(held), isKey: true }
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
    permissionId,
    newItem,
    twinOf,
    roleOf: permission => roles(permission, permission),
    adminKey: held => {
      const label = `a key with ${held.join(' and ')}`
      return keys(label, label, [...held])
    },
    item: (user, kind, state) => items(`${user.id} ${kind} ${state}`, user, kind, state),
    tagOf: user => tags(String(user.id), user),
  }
}
