/** Damage to users, their permissions and settings, and the system's switches. */
import { listApiKeys } from '../../src/api/keys.ts'
import { buildFile, buildKey, buildTag, buildUser } from '../support/factories.ts'
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
    problem: 'foreign-tag',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await buildFile(world.user, { name: 'tagged.txt' })
      const tag = await buildTag(world.other)
      await spoil(world, `INSERT INTO file_tags (tag_id, file_id) VALUES (${tag.id}, ${id})`)
      return named(world, '/tagged.txt', id)
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
