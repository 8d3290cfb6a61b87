/** For each row of the expectations, an input that is valid except for what the row tests. */
import { listSessions } from '../../src/api/auth.ts'
import { createApiKey } from '../../src/api/keys.ts'
import { createField } from '../../src/api/metadata.ts'
import { createRole, listRoles } from '../../src/api/roles.ts'
import { createTag } from '../../src/api/tags.ts'
import { listUsers, updateUser } from '../../src/api/users.ts'
import { signIn } from '../support/client.ts'
import { beginUpload, idOf } from '../support/tus.ts'
import { type BuildInput, change, type Input, nothing, type Scene, theItem } from './build-input.ts'
import { sharingInputs } from './sharing-inputs.ts'
import { unique } from './world.ts'

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

const newUpload: BuildInput = async ({ of }) => ({ id: idOf(await beginUpload(of, { length: 7 })) })

/** An upload that waits to be told to become a file. */
const wholeUpload: BuildInput = async ({ of }) => {
  const metadata = { name: `upload-${unique()}`, finish: 'explicit' }
  return { id: idOf(await beginUpload(of, { length: 7, metadata, body: Buffer.from('matrix!') })) }
}

const newField: BuildInput = async ({ world }) => {
  const name = `field_${unique().replace(/\d/g, 'x')}`
  return { id: (await world.admin.client.call(createField, { name, label: name, field_type: 'text' })).id }
}

/** The permissions of a user who may only manage roles, and further ones that such a user lacks. */
const weakIds = ({ world }: Scene): number[] => [world.permissionId('roles:manage')]
const strongIds = (scene: Scene): number[] => [...weakIds(scene), scene.world.permissionId('settings:manage')]

const newRole =
  (permissions: (scene: Scene) => number[] = weakIds): BuildInput =>
  async scene => {
    const input = { name: `role-${unique()}`, permission_ids: permissions(scene) }
    return { id: (await scene.world.admin.client.call(createRole, input)).role.id }
  }

/**
 * The two real system roles have more permissions than a user who may only manage roles, and have users. No call makes
 * a system role, so change the row.
 */
const systemRole: BuildInput = async scene => {
  const { id } = await newRole()(scene)
  const { db } = scene.world.server.deps
  await db.touch(() => db.change('UPDATE roles SET is_system = 1 WHERE id = $1', [Number(id)]))
  return { id }
}

const administratorsRole: BuildInput = async ({ world }) => ({
  id: (await world.admin.client.call(listRoles, {})).roles.find(({ name }) => name === 'admin')?.id,
})

const usedRole: BuildInput = async ({ world }) => {
  await world.loner('roles:manage')
  return { id: (await world.roleOf('roles:manage')).id }
}

/** The role of a user with no permission that a manager of users lacks, and the role of a user with all permissions. */
const weakRole = async ({ world }: Scene) => (await world.roleOf('users:manage')).name
const strongRole = async ({ world }: Scene) => world.deputyRole

const newUser =
  (role = weakRole): BuildInput =>
  async scene => ({ id: await scene.world.newUser(await role(scene)) })

const oneself: BuildInput = ({ caller }) => ({ id: caller.user.id })

const lastAdmin: BuildInput = async ({ world: { admin } }) => {
  const { users } = await admin.client.call(listUsers, {})
  for (const { id } of users.filter(user => user.role === 'admin' && user.is_active && user.id !== admin.user.id)) {
    await admin.client.call(updateUser, { id, is_active: false })
  }
  return { id: admin.user.id }
}

const newAccount = async (role: string): Promise<Input> => ({
  username: `user-${unique()}`,
  email: `${unique()}@example.org`,
  role,
})

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
  updatePreferences: () => ({ view: 'grid' }),
  changePassword: ({ caller: { user } }) => ({ current_password: user.password, new_password: `new-${unique()}` }),
  listSessions: nothing,
  endSession: newSession,

  createApiKey: () => ({ name: 'another', permissions: ['api-keys:manage'] }),
  listApiKeys: nothing,
  listKeyPermissions: nothing,
  'createApiKey: stronger': () => ({ name: 'another', permissions: ['api-keys:manage', 'settings:manage'] }),
  updateApiKey: change(newKey, { is_active: false }),
  deleteApiKey: newKey,

  listFiles: nothing,
  'listFiles: folder': ({ item }) => ({ parent_id: item.id }),
  getFile: theItem,
  'getFile: folder': theItem,
  getFolderSize: theItem,
  getFileByPath: ({ item }) => ({ path: item.path }),
  findFileByPath: ({ item }) => ({ path: item.path }),
  listFileEvents: theItem,
  downloadFile: theItem,
  previewFile: theItem,
  getThumbnail: theItem,
  archiveFolder: theItem,
  archiveItems: ({ item }) => ({ ids: [item.id] }),
  'archiveItems: form': ({ item }) => ({ ids: [item.id] }),
  listFavorites: nothing,
  listTrash: nothing,
  listRecent: nothing,
  listLargest: nothing,
  getFileStats: nothing,
  listChanges: nothing,
  followChanges: nothing,
  searchFiles: () => ({ q: 'item' }),

  uploadFile: nothing,
  'uploadFile: folder': ({ item }) => ({ parent_id: item.id }),
  uploadMany: nothing,
  'uploadMany: folder': ({ item }) => ({ parent_id: item.id }),
  describeUploads: nothing,
  createUpload: nothing,
  'createUpload: folder': ({ item }) => ({ parent_id: item.id }),
  findUpload: newUpload,
  appendUpload: newUpload,
  discardUpload: newUpload,
  listUploads: nothing,
  finishUpload: wholeUpload,
  replaceContent: theItem,
  createFolder: () => ({ name: `new-${unique()}` }),
  'createFolder: folder': ({ item }) => ({ name: `new-${unique()}`, parent_id: item.id }),
  setModifiedAt: ({ item }) => ({ id: item.id, modified_at: new Date(item.id * 1000).toISOString() }),
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
  // No item is that old, so the trashed items of other rows stay.
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

  ...sharingInputs,

  listTags: nothing,
  listFileTags: theItem,
  createTag: () => ({ name: `tag-${unique()}`, color: '#22C55E' }),
  updateTag: change(newTag, { color: '#22C55E' }),
  deleteTag: newTag,
  tagFiles: tagItem,
  'tagFiles: its tag': tagWithIts,
  untagFiles: tagItem,
  'untagFiles: its tag': tagWithIts,

  listUsers: nothing,
  createUser: async scene => newAccount(await weakRole(scene)),
  'createUser: stronger': async scene => newAccount(await strongRole(scene)),
  updateUser: change(newUser(), { is_active: false }),
  'updateUser: own name': change(oneself, () => ({ full_name: `Name ${unique()}` })),
  'updateUser: own role': change(oneself, async scene => ({ role: (await scene.world.roleOf('tags:read')).name })),
  'updateUser: own password': change(oneself, () => ({ password: unique() })),
  'updateUser: disable own': change(oneself, { is_active: false }),
  'updateUser: stronger': change(newUser(strongRole), { is_active: false }),
  'updateUser: promote': change(newUser(), async scene => ({ role: await strongRole(scene) })),
  'updateUser: last admin': change(lastAdmin, { is_active: false }),
  deleteUser: newUser(),
  'deleteUser: own': oneself,
  'deleteUser: stronger': newUser(strongRole),
  'deleteUser: last admin': lastAdmin,
  'deleteUser: with files': async ({ world }) => ({ id: await world.weakOwner() }),
  listRoles: nothing,
  listPermissions: nothing,
  createRole: scene => ({ name: `role-${unique()}`, permission_ids: weakIds(scene) }),
  'createRole: stronger': scene => ({ name: `role-${unique()}`, permission_ids: strongIds(scene) }),
  updateRole: change(newRole(), { description: 'Changed' }),
  'updateRole: add': change(newRole(), scene => ({ permission_ids: strongIds(scene) })),
  'updateRole: system': change(systemRole, () => ({ name: `role-${unique()}` })),
  'updateRole: stronger': change(newRole(strongIds), { description: 'Changed' }),
  'updateRole: admin': change(administratorsRole, scene => ({ permission_ids: weakIds(scene) })),
  deleteRole: newRole(),
  'deleteRole: system': systemRole,
  'deleteRole: stronger': newRole(strongIds),
  'deleteRole: in use': usedRole,

  listUploadFields: nothing,
  listFields: nothing,
  createField: () => ({ name: `f_${unique().replace(/\d/g, 'x')}`, label: 'Label', field_type: 'text' }),
  updateField: change(newField, { label: 'Changed' }),
  deleteField: newField,

  listSettings: nothing,
  updateSetting: () => ({ key: 'metadata_enabled', value: 'true' }),
  listAudit: nothing,
  exportAudit: nothing,
  getSystem: nothing,

  listPending: nothing,
  countPending: nothing,
  listPendingOwners: nothing,
  decideFile: ({ item }) => ({ file_id: item.id, status: 'approved' }),
}
