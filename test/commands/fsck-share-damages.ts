/** Damage to shares and team folders. */
import { buildFolder } from '../support/factories.ts'
import { ownerOf } from '../support/planting.ts'
import { type Damage, spoil, type World } from './fsck-damage.ts'

/** A team space with so many items at its top, each a folder; returns the space's id. */
async function plantTeam(world: World, names: readonly string[]): Promise<number> {
  const { db } = world.server.deps
  return db.touch(async () => {
    const owner = { owner_id: world.user.id, created_at: 1 }
    const spaceId = await db.insert(db.spaces, { ...owner, kind: 'team', storage_quota: 1_000_000 })
    for (const name of names) {
      const row = { ...owner, space_id: spaceId, parent_id: null, name, name_folded: name, sort_key: name }
      await db.insert(db.files, { ...row, is_directory: 1, size: 0, mime_type: null, modified_at: null, updated_at: 1 })
    }
    await db.change('UPDATE spaces SET item_count = $1 WHERE id = $2', [names.length, spaceId])
    return spaceId
  })
}

const wrongTop = (names: readonly string[]): Damage => ({
  problem: 'team-root',
  verdict: 'repairable',
  spoil: async world => `team space ${await plantTeam(world, names)}`,
})

export const shareDamages: readonly Damage[] = [
  wrongTop([]),
  wrongTop(['one', 'two', 'three']),
  {
    problem: 'share-space',
    verdict: 'repairable',
    async spoil(world) {
      const { db } = world.server.deps
      const { id } = await buildFolder(world.user, 'shared')
      const { spaceId } = await ownerOf(world.server, world.other)
      await spoil(
        world,
        `INSERT INTO shares (space_id, item_id, user_id, level, created_at)
           VALUES (${spaceId}, ${id}, ${world.other.id}, 'view', 1)`,
      )
      const share = await db.row<{ id: number }>('SELECT id FROM shares WHERE item_id = $1', [id])
      return `share ${share?.id} of ${world.user.username}:/shared`
    },
  },
]
