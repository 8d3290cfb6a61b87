/** For each row of the expectations, an input that is right but for what the row is about. */
import { listSessions } from '../../src/api/auth.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { createApiKey } from '../../src/api/keys.ts'
import { createField } from '../../src/api/metadata.ts'
import { createRole } from '../../src/api/roles.ts'
import { createTag } from '../../src/api/tags.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { type Caller, unique, type World } from './world.ts'

export interface Scene {
  world: World
  caller: Caller
  /** Whose item, tag, key or session it is. */
  of: BuiltUser
  item: FileDetails
}

export type Input = Record<string, unknown>
type BuildInput = (scene: Scene) => Input | Promise<Input>

const nothing: BuildInput = () => ({})
const theItem: BuildInput = ({ item }) => ({ id: item.id })
const ownFolder = async ({ world, caller }: Scene) => (await world.item(caller.user, 'folder', 'live')).id
const ownFile = async ({ world, caller }: Scene) => (await world.item(caller.user, 'file', 'live')).id
const ownTag = ({ world, caller }: Scene) => world.tagOf(caller.user)
const itsTag = ({ world, of }: Scene) => world.tagOf(of)

const batch =
  (action: string): BuildInput =>
  ({ item }) => ({ action, ids: [item.id] })

const tagItem: BuildInput = async scene => ({ tag_id: await ownTag(scene), file_ids: [scene.item.id] })
const tagWithIts: BuildInput = async scene => ({ tag_id: await itsTag(scene), file_ids: [await ownFile(scene)] })

const newTag: BuildInput = async ({ of }) => ({
  id: (await of.call(createTag, { name: `tag-${unique()}`, color: '#EF4444' })).tag.id,
})

const newKey: BuildInput = async ({ of }) => ({
  id: (await of.call(createApiKey, { name: 'of the matrix', permissions: ['files:read'] })).id,
})

const newField: BuildInput = async ({ world }) => {
  const name = `field_${unique().replace(/\d/g, 'x')}`
  return { id: (await world.admin.client.call(createField, { name, label: name, field_type: 'text' })).id }
}

const newRole: BuildInput = async ({ world }) => {
  const permission_ids = [world.permissionId('roles:manage')]
  return { id: (await world.admin.client.call(createRole, { name: `role-${unique()}`, permission_ids })).role.id }
}

/** One who holds nothing that a manager of users lacks. */
const newUser: BuildInput = async ({ world }) => {
  const { name } = await world.roleOf('users:manage')
  return { id: (await buildUser(world.server, { role: name })).id }
}

const newSession: BuildInput = async ({ world, of }) => {
  const second = await signIn(world.server.url, of.username, of.password)
  const { sessions } = await second.call(listSessions, {})
  return { id: sessions.find(session => session.current)?.id }
}

export const inputs: Record<string, BuildInput> = {
  login: ({ world: { owner } }) => ({ username: owner.user.username, password: owner.user.password }),
  getOpenApi: nothing,
  logout: nothing,
  getProfile: nothing,
  updateProfile: () => ({ full_name: `Name ${unique()}` }),
  changePassword: ({ caller: { user } }) => ({ current_password: user.password, new_password: `new-${unique()}` }),
  listSessions: nothing,
  endSession: newSession,

  createApiKey: () => ({ name: 'another', permissions: ['api-keys:manage'] }),
  listApiKeys: nothing,
  listKeyPermissions: nothing,
  updateApiKey: async scene => ({ ...(await newKey(scene)), is_active: false }),
  deleteApiKey: newKey,

  listFiles: nothing,
  'listFiles: folder': ({ item }) => ({ parent_id: item.id }),
  getFile: theItem,
  'getFile: folder': theItem,
  getFileByPath: ({ item }) => ({ path: item.path }),
  listFileEvents: theItem,
  downloadFile: theItem,
  previewFile: theItem,
  getThumbnail: theItem,
  downloadFolder: theItem,
  downloadArchive: ({ item }) => ({ ids: [item.id] }),
  'downloadArchive: form': ({ item }) => ({ ids: [item.id] }),
  listFavorites: nothing,
  listTrash: nothing,
  getFileStats: nothing,
  searchFiles: () => ({ q: 'item' }),

  uploadFile: nothing,
  'uploadFile: folder': ({ item }) => ({ parent_id: item.id }),
  createFolder: () => ({ name: `new-${unique()}` }),
  'createFolder: folder': ({ item }) => ({ name: `new-${unique()}`, parent_id: item.id }),
  renameFile: ({ item }) => ({ id: item.id, name: `renamed-${unique()}` }),
  moveFile: async scene => ({ id: scene.item.id, parent_id: await ownFolder(scene) }),
  'moveFile: folder': async scene => ({ id: await ownFile(scene), parent_id: scene.item.id }),
  favoriteFile: ({ item }) => ({ id: item.id, is_favorite: true }),
  setFileMetadata: ({ item }) => ({ id: item.id, metadata: [] }),
  copyFile: async scene => ({ id: scene.item.id, parent_id: await ownFolder(scene) }),
  'copyFile: folder': async scene => ({ id: await ownFile(scene), parent_id: scene.item.id }),

  trashFile: theItem,
  'trashFile: folder': theItem,
  restoreFile: theItem,
  deleteFile: theItem,
  // Nothing is that old: the trashed items of the other rows stay.
  emptyTrash: () => ({ older_than_days: 10_000 }),

  'batchFiles: move': async scene => ({ action: 'move', ids: [scene.item.id], parent_id: await ownFolder(scene) }),
  'batchFiles: folder': async scene => ({ action: 'move', ids: [await ownFile(scene)], parent_id: scene.item.id }),
  'batchFiles: favorite': ({ item }) => ({ action: 'favorite', ids: [item.id], is_favorite: true }),
  'batchFiles: trash': batch('trash'),
  'batchFiles: restore': batch('restore'),
  'batchFiles: delete': batch('delete'),
  'batchFiles: tag': async scene => ({ action: 'tag', ids: [scene.item.id], tag_id: await ownTag(scene) }),
  'batchFiles: untag': async scene => ({ action: 'untag', ids: [scene.item.id], tag_id: await ownTag(scene) }),
  'batchFiles: its tag': async scene => ({ action: 'tag', ids: [await ownFile(scene)], tag_id: await itsTag(scene) }),

  listTags: nothing,
  listFileTags: theItem,
  createTag: () => ({ name: `tag-${unique()}`, color: '#22C55E' }),
  updateTag: async scene => ({ ...(await newTag(scene)), color: '#22C55E' }),
  deleteTag: newTag,
  tagFiles: tagItem,
  'tagFiles: its tag': tagWithIts,
  untagFiles: tagItem,
  'untagFiles: its tag': tagWithIts,

  listUsers: nothing,
  createUser: async ({ world }) => ({
    username: `user-${unique()}`,
    email: `${unique()}@example.org`,
    role: (await world.roleOf('users:manage')).name,
  }),
  updateUser: async scene => ({ ...(await newUser(scene)), full_name: 'Somebody' }),
  deleteUser: newUser,
  listRoles: nothing,
  listPermissions: nothing,
  createRole: ({ world }) => ({ name: `role-${unique()}`, permission_ids: [world.permissionId('roles:manage')] }),
  updateRole: async scene => ({ ...(await newRole(scene)), description: 'Changed' }),
  deleteRole: newRole,

  listUploadFields: nothing,
  listFields: nothing,
  createField: () => ({ name: `f_${unique().replace(/\d/g, 'x')}`, label: 'Label', field_type: 'text' }),
  updateField: async scene => ({ ...(await newField(scene)), label: 'Changed' }),
  deleteField: newField,

  listSettings: nothing,
  updateSetting: () => ({ key: 'metadata_enabled', value: 'true' }),
  listAudit: nothing,
  getSystem: nothing,

  listPending: nothing,
  decideFile: ({ item }) => ({ file_id: item.id, status: 'approved' }),
}
