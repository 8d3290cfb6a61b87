/** Damage to links. */
import { buildFile, buildFolder } from '../support/factories.ts'
import { ownerOf } from '../support/planting.ts'
import { buildLink } from '../support/visitor.ts'
import { type Damage, spoil, type World } from './fsck-damage.ts'

/** A link to a folder or file, whose row a statement changes. */
const misplacing = (
  problem: string,
  kind: 'file' | 'folder',
  columns: (world: World) => string | Promise<string>,
): Damage => ({
  problem,
  verdict: 'repairable',
  async spoil(world) {
    const name = `${problem}-${kind}`
    const item = kind === 'file' ? await buildFile(world.user, { name }) : await buildFolder(world.user, name)
    const { id } = await buildLink(world.user, item)
    await spoil(world, `UPDATE links SET ${await columns(world)} WHERE id = ${id}`)
    return `link ${id} to ${world.user.username}:/${name}`
  },
})

export const linkDamages: readonly Damage[] = [
  misplacing(
    'link-space',
    'folder',
    async ({ server, other }) => `space_id = ${(await ownerOf(server, other)).spaceId}`,
  ),
  misplacing('link-level', 'file', () => "level = 'upload'"),
  misplacing('link-hash', 'folder', () => "token_hash = 'nonsense'"),
  misplacing('link-hash', 'file', () => `token_hash = '${'0'.repeat(64)}'`),
  misplacing('link-seal', 'file', () => "token_sealed = 'nonsense'"),
  misplacing('link-lost', 'file', () => "token_sealed = 'nonsense', token_hash = 'nothing'"),
]
