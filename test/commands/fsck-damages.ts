/** Every kind of damage that `filestore fsck` knows, with the expected finding. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getFile } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { buildChain, buildFile, buildFolder, buildTag } from '../support/factories.ts'
import { ownerOf, plantThumbnail } from '../support/planting.ts'
import { age, freePathOf, pathOfKey } from '../support/spoil.ts'
import { plantUpload } from '../support/uploads.ts'
import { accountDamages } from './fsck-account-damages.ts'
import { contentDamages } from './fsck-content-damages.ts'
import { type Damage, named, spoil, stored, type World } from './fsck-damage.ts'
import { linkDamages } from './fsck-link-damages.ts'
import { shareDamages } from './fsck-share-damages.ts'

/** A folder in a folder, whose row a statement changes. */
const misplacing = (
  problem: string,
  statement: (id: number, parentId: number) => string,
  way = '',
  then: (world: World) => string[] = () => [],
): Damage => ({
  problem,
  verdict: 'repairable',
  async spoil(world) {
    const parent = await buildFolder(world.user, `${problem}-parent`)
    const { id } = await buildFolder(world.user, problem, parent.id)
    await spoil(world, statement(id, parent.id), ...then(world))
    return named(world, `${way}/${problem}`, id)
  },
})

const spaceOf = async ({ server, user }: World): Promise<number> => (await ownerOf(server, user)).spaceId

/** One counter of the user's space. */
const miscounting = (problem: string, statement: (spaceId: number) => string): Damage => ({
  problem,
  verdict: 'repairable',
  async spoil(world) {
    await spoil(world, statement(await spaceOf(world)))
    return world.user.username
  },
})

const items: Damage[] = [
  {
    problem: 'file-size',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await buildFile(world.user, { name: 'size.txt' })
      await spoil(world, `UPDATE files SET size = size + 5 WHERE id = ${id}`)
      return named(world, '/size.txt', id)
    },
  },
  {
    problem: 'foreign-owner',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await buildFolder(world.user, 'owned')
      await spoil(world, `UPDATE files SET owner_id = ${world.other.id} WHERE id = ${id}`)
      return named(world, '/owned', id)
    },
  },
  {
    problem: 'owner-missing',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await buildFile(world.user, { name: 'owned.txt' })
      await spoil(world, `UPDATE files SET owner_id = 99999999 WHERE id = ${id}`)
      return named(world, '/owned.txt', id)
    },
  },
  misplacing(
    'name-columns',
    id => `UPDATE files SET name_folded = 'x', sort_key = 'y' WHERE id = ${id}`,
    '/name-columns-parent',
  ),
  {
    problem: 'name-unusable',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await buildFile(world.user, { name: 'unusable.txt' })
      await spoil(world, `UPDATE files SET name = '../unusable.txt', name_folded = '../unusable.txt' WHERE id = ${id}`)
      return named(world, '/../unusable.txt', id)
    },
  },
  misplacing(
    'parent-missing',
    (_, parentId) => `DELETE FROM files WHERE id = ${parentId}`,
    '',
    // Otherwise the storage would tell that a folder is lost.
    ({ user }) => [`UPDATE spaces SET item_count = item_count - 1 WHERE owner_id = ${user.id}`],
  ),
  misplacing(
    'parent-trashed',
    (_, id) => `UPDATE files SET deleted_at = 1, trash_root_id = id WHERE id = ${id}`,
    '/parent-trashed-parent',
  ),
  {
    problem: 'trash-mark',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await buildFolder(world.user, 'marked')
      await spoil(
        world,
        `UPDATE files SET deleted_at = 1, trash_root_id = id WHERE id = ${id}`,
        `UPDATE files SET deleted_at = NULL WHERE id = ${id}`,
      )
      return named(world, '/marked (trash)', id)
    },
  },
  {
    problem: 'parent-no-folder',
    verdict: 'repairable',
    async spoil(world) {
      const file = await buildFile(world.user, { name: 'no-folder.txt' })
      const { id } = await buildFolder(world.user, 'in-a-file')
      await spoil(world, `UPDATE files SET parent_id = ${file.id} WHERE id = ${id}`)
      return named(world, '/no-folder.txt/in-a-file', id)
    },
  },
  {
    problem: 'parent-in-another-space',
    verdict: 'repairable',
    async spoil(world) {
      const foreign = await buildFolder(world.other, 'foreign')
      const { id } = await buildFolder(world.user, 'astray')
      await spoil(world, `UPDATE files SET parent_id = ${foreign.id} WHERE id = ${id}`)
      return named(world, '/foreign/astray', id)
    },
  },
  {
    problem: 'trash-root',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await buildFolder(world.user, 'rootless')
      await world.user.call(trashFile, { id })
      await spoil(world, `UPDATE files SET trash_root_id = 99999999 WHERE id = ${id}`)
      return named(world, '/rootless (trash)', id)
    },
  },
  {
    problem: 'trash-root',
    verdict: 'repairable',
    async spoil(world) {
      const folder = await buildFolder(world.user, 'torn')
      const { id } = await buildFolder(world.user, 'torn-off', folder.id)
      await world.user.call(trashFile, { id: folder.id })
      await spoil(world, `UPDATE files SET trash_root_id = 99999999 WHERE id = ${id}`)
      return named(world, '/torn/torn-off (trash)', id)
    },
  },
  {
    problem: 'unlisted',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await buildFolder(world.user, 'unlisted')
      await spoil(world, `UPDATE files SET deleted_at = 1 WHERE id = ${id}`)
      return named(world, '/unlisted (trash)', id)
    },
  },
  {
    problem: 'cycle',
    verdict: 'repairable',
    async spoil(world) {
      const [outer = 0, inner = 0] = await buildChain(world.user, 2)
      await spoil(world, `UPDATE files SET parent_id = ${inner} WHERE id = ${outer}`)
      const { name } = (await world.user.call(getFile, { id: outer })).file
      return `${world.user.username}: '${name}' (id:${outer})`
    },
  },
  {
    problem: 'too-deep',
    verdict: 'repairable',
    async spoil(world) {
      const chain = await buildChain(world.user, 100)
      const { id } = await buildFolder(world.user, 'deep')
      await buildFolder(world.user, 'deeper', id)
      await spoil(world, `UPDATE files SET parent_id = ${chain.at(-1)} WHERE id = ${id}`)
      return `${world.user.username}: 'deep' (id:${id})`
    },
  },
  {
    problem: 'dangling-row',
    verdict: 'repairable',
    async spoil(world) {
      const tag = await buildTag(world.user)
      await spoil(world, `INSERT INTO file_tags (tag_id, file_id) VALUES (${tag.id}, 99999999)`)
      return 'table file_tags'
    },
  },
]

const counters: Damage[] = [
  miscounting('storage-counters', id => `UPDATE spaces SET storage_used = storage_used + 1 WHERE id = ${id}`),
  miscounting('storage-reserved', id => `UPDATE spaces SET storage_reserved = 7 WHERE id = ${id}`),
  miscounting('folder-counts', id => `UPDATE folder_counts SET items = items + 1 WHERE space_id = ${id}`),
  miscounting('type-counts', id => `UPDATE type_counts SET bytes = bytes + 1 WHERE space_id = ${id}`),
]

const uploads: Damage[] = [
  {
    problem: 'upload-bytes',
    verdict: 'repairable',
    async spoil({ server, user }) {
      return `upload ${(await plantUpload(server, user, 3)).id}`
    },
  },
]

/** The id of a deleted tag is far above the ids that are given next. */
const ids: Damage[] = [
  {
    problem: 'last-id',
    verdict: 'repairable',
    async spoil(world) {
      await spoil(world, "INSERT INTO events (at, actor_name, action, item_id) VALUES (1, 'ann', 'tag.delete', 5000)")
      return 'table tags'
    },
  },
]

const store: Damage[] = [
  {
    problem: 'thumbnail',
    verdict: 'repairable',
    async spoil(world) {
      const { id } = await stored(world, 'image.png')
      await world.server.deps.store.remove(await plantThumbnail(world.server, id))
      return `thumbnail of ${named(world, '/image.png', id)}`
    },
  },
  {
    problem: 'thumbnail',
    verdict: 'repairable',
    isHidden: true,
    async spoil(world) {
      const { id } = await stored(world, 'no-image.png')
      await writeFile(pathOfKey(world.server, await plantThumbnail(world.server, id)), 'never a WebP')
      return `thumbnail of ${named(world, '/no-image.png', id)}`
    },
  },
  {
    problem: 'orphan',
    verdict: 'repairable',
    async spoil({ server }) {
      const key = newBlobKey()
      await writeFile(await freePathOf(server, key), 'nobody names this')
      await age(pathOfKey(server, key))
      // Also write an upload in progress. It is no finding, because it is young.
      await writeFile(await freePathOf(server, newBlobKey()), 'an upload under wa')
      return `blobs/${key.slice(0, 2)}/${key}`
    },
  },
  {
    problem: 'stranger',
    verdict: 'ok',
    async spoil({ server }) {
      const key = newBlobKey()
      await symlink('/etc/passwd', await freePathOf(server, key))
      return `blobs/${key.slice(0, 2)}/${key}`
    },
  },
  {
    problem: 'stranger',
    verdict: 'ok',
    async spoil({ server }) {
      await mkdir(join(server.dataDir, 'storage', 'blobs', '00', 'a folder'), { recursive: true })
      return 'blobs/00/a folder'
    },
  },
]

/** The counters come last, because other damage changes them too. */
export const damages: readonly Damage[] = [
  ...contentDamages,
  ...items,
  ...store,
  ...accountDamages,
  ...shareDamages,
  ...linkDamages,
  ...ids,
  ...counters,
  ...uploads,
]

/** Damage that only SQLite allows. */
export const searchDamage: Damage = {
  problem: 'search-index',
  verdict: 'repairable',
  async spoil(world) {
    const { id } = await buildFolder(world.user, 'unfindable')
    await spoil(world, `DELETE FROM file_search WHERE rowid = ${id}`)
    return named(world, '/unfindable', id)
  },
}
