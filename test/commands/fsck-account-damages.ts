/** Damage to users, their permissions and settings, and the system's switches. */
import { listApiKeys } from '../../src/api/keys.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { signIn } from '../support/client.ts'
import { buildField, buildFile, buildFolder, buildKey, buildTag, buildUser } from '../support/factories.ts'
import { type Damage, named, spoil, type World } from './fsck-damage.ts'

/** Damage done by a statement, with the name in the expected finding. */
const doing = (problem: string, name: string, ...statements: string[]): Damage => ({
  problem,
  verdict: 'repairable',
  async spoil(world: World) {
    await spoil(world, ...statements)
    return name
  },
})

/** A key about which a statement says that another of its user's keys made it, and something that cannot be then. */
const madeWrongly = (set: string, permissions: Permission[] = ['files:read'], maker = "kind = 'script'"): Damage => ({
  problem: 'foreign-maker',
  verdict: 'repairable',
  async spoil(world) {
    const [by, { id }] = [
      await buildKey(world.server, world.user, ['files:read']),
      await buildKey(world.server, world.user, permissions),
    ]
    await spoil(
      world,
      `UPDATE api_keys SET ${maker} WHERE id = ${by.id}`,
      `UPDATE api_keys SET made_by = ${by.id}, ${set} WHERE id = ${id}`,
    )
    return `api_keys ${id} of '${world.user.username}'`
  },
})

/** A row about a folder or file, as no call makes it. */
const marking = (problem: string, name: string, mark: (id: number, world: World) => Promise<string>): Damage => ({
  problem,
  verdict: 'repairable',
  async spoil(world) {
    const isFile = name.endsWith('.txt')
    const { id } = await (isFile ? buildFile(world.user, { name }) : buildFolder(world.user, name))
    await spoil(world, await mark(id, world))
    return named(world, `/${name}`, id)
  },
})

/** A value of a field that is there from then on. */
async function insertValue(id: number, { server }: World, value: string): Promise<string> {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const field = await buildField(admin)
  return `INSERT INTO file_metadata (file_id, field_id, value, value_folded) VALUES (${id}, ${field.id}, '${value}', '${value}')`
}

const admin = "(SELECT id FROM roles WHERE name = 'admin')"

export const accountDamages: Damage[] = [
  {
    problem: 'space-missing',
    verdict: 'repairable',
    async spoil(world) {
      const { id, username } = await buildUser(world.server)
      await spoil(world, `DELETE FROM spaces WHERE owner_id = ${id}`)
      return username
    },
  },
  {
    problem: 'space-twice',
    verdict: 'repairable',
    async spoil(world) {
      const { id, username, ...user } = await buildUser(world.server)
      const file = await buildFile(user, { name: 'in the second storage.txt' })
      await spoil(
        world,
        `INSERT INTO spaces (kind, owner_id, storage_used, storage_quota, item_count, revision)
           SELECT kind, owner_id, storage_used, storage_quota, item_count, 0 FROM spaces WHERE owner_id = ${id}`,
        `UPDATE spaces SET storage_used = 0, item_count = 0 WHERE owner_id = ${id} AND revision > 0`,
        `UPDATE files SET space_id = (SELECT MAX(id) FROM spaces WHERE owner_id = ${id}) WHERE id = ${file.id}`,
      )
      return username
    },
  },
  {
    problem: 'foreign-maker',
    verdict: 'repairable',
    async spoil(world) {
      const [key, other] = [
        await buildKey(world.server, world.other, ['files:read']),
        await buildKey(world.server, world.user, ['files:read']),
      ]
      await spoil(world, `UPDATE api_keys SET made_by = ${key.id} WHERE id = ${other.id}`)
      return `api_keys ${other.id} of '${world.user.username}'`
    },
  },
  madeWrongly("kind = 'device'"),
  madeWrongly('is_active = 1', ['files:read'], "kind = 'device'"),
  madeWrongly('expires_at = NULL', ['files:read'], 'expires_at = 4000000000000'),
  madeWrongly('expires_at = 4000000000001', ['files:read'], 'expires_at = 4000000000000'),
  madeWrongly('is_active = 1', ['files:read', 'files:write']),
  marking('folder-tag', 'tagged folder', async (id, { user }) => {
    return `INSERT INTO file_tags (tag_id, file_id) VALUES (${(await buildTag(user)).id}, ${id})`
  }),
  marking('folder-metadata', 'described folder', (id, world) => insertValue(id, world, 'a value')),
  marking('empty-metadata', 'described.txt', (id, world) => insertValue(id, world, '')),
  {
    problem: 'row-value',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await buildFolder(world.user, 'waiting folder')
      await spoil(world, `UPDATE files SET validation_status = 'pending' WHERE id = ${id}`)
      return `files ${id} 'waiting folder'`
    },
  },
  {
    problem: 'row-value',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await buildKey(world.server, world.user, ['files:read'])
      await spoil(world, `UPDATE api_keys SET made_by = id WHERE id = ${id}`)
      const key = (await world.user.call(listApiKeys, {})).api_keys.find(one => one.id === id)
      return `api_keys ${id} '${key?.name}'`
    },
  },
  doing(
    'setting-missing',
    'setting allow_self_validation',
    "DELETE FROM settings WHERE `key` = 'allow_self_validation'",
  ),
  doing('role', 'role admin', `DELETE FROM role_permissions WHERE role_id = ${admin}`),
  doing('permission', 'permission files:fly', "INSERT INTO permissions (`key`) VALUES ('files:fly')"),
]
