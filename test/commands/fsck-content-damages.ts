/** Damage to the contents of files. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { putAside } from '../../src/blobs/quarantine.ts'
import { buildFile } from '../support/factories.ts'
import { cutShort, flipByte, lengthen } from '../support/spoil.ts'
import { type Damage, named, spoil, stored } from './fsck-damage.ts'

/** A file that is lost after a change to its file in the store. */
const losing = (problem: string, lose: (path: string) => Promise<void>, isHidden?: true): Damage => ({
  problem,
  verdict: 'lost',
  isHidden,
  async spoil(world) {
    const { id, content, path, told } = await stored(world, `${problem}.bin`)
    world.lost.set(id, content)
    await lose(path)
    return told
  },
})

/** A small file that is lost after a statement on its content in the database. */
const losingInline = (
  problem: string,
  statement: (blobId: number, content: Buffer) => string,
  isHidden?: true,
): Damage => ({
  problem,
  verdict: 'lost',
  isHidden,
  async spoil(world) {
    const content = Buffer.from(`${problem} beside its row`)
    const { id } = await buildFile(world.user, { name: `${problem}.txt` }, content)
    const row = await world.server.deps.db.row<{ blob_id: number }>('SELECT blob_id FROM files WHERE id = $1', [id])
    world.lost.set(id, content)
    await spoil(world, statement(row?.blob_id ?? 0, Buffer.from(content)))
    return named(world, `/${problem}.txt`, id)
  },
})

export const contentDamages: Damage[] = [
  losing('content-missing', path => rm(path)),
  losing('content-size', cutShort),
  losing('content-changed', path => flipByte(path, 20_000), true),
  losingInline('content-missing', blobId => `DELETE FROM blob_bytes WHERE blob_id = ${blobId}`),
  losingInline(
    'content-changed',
    (id, content) =>
      `UPDATE blob_bytes SET bytes = X'${content.fill('x', 0, 1).toString('hex')}' WHERE blob_id = ${id}`,
    true,
  ),
  {
    problem: 'content-too-long',
    verdict: 'repairable',
    async spoil(world) {
      const { path, told } = await stored(world, 'long.bin')
      await lengthen(path)
      return told
    },
  },
  {
    problem: 'content-row',
    verdict: 'repairable',
    async spoil(world) {
      const { blob_id, told } = await stored(world, 'row.bin')
      const tables = { blobs: 'id', files: 'blob_id' }
      const statements = Object.entries(tables).map(
        ([table, column]) => `UPDATE ${table} SET size = 7 WHERE ${column} = ${blob_id}`,
      )
      await spoil(world, ...statements)
      return told
    },
  },
  {
    problem: 'content-row',
    verdict: 'repairable',
    isHidden: true,
    async spoil(world) {
      const { blob_id, content, told } = await stored(world, 'hash.bin')
      const right = createHash('sha256').update(content).digest('hex')
      const wrong = `${right.startsWith('0') ? '1' : '0'}${right.slice(1)}`
      await spoil(world, `UPDATE blobs SET sha256 = '${wrong}' WHERE id = ${blob_id}`)
      return told
    },
  },
  {
    problem: 'content-set-aside',
    verdict: 'repairable',
    async spoil(world) {
      const { key, told } = await stored(world, 'aside.bin')
      await putAside(world.server.deps.store, key, Date.now())
      return told
    },
  },
  // Not repaired while the file below is lost, whose content it may be.
  {
    problem: 'content-unnamed',
    verdict: 'ok',
    async spoil(world) {
      const { id, blob_id, content } = await stored(world, 'unnamed.bin')
      const counters = `item_count = item_count - 1, storage_used = storage_used - ${content.length}`
      await spoil(
        world,
        `DELETE FROM files WHERE id = ${id}`,
        // Otherwise the storage would tell that a file is lost.
        `UPDATE spaces SET ${counters} WHERE owner_id = ${world.user.id}`,
      )
      return `content ${blob_id}`
    },
  },
  {
    problem: 'file-without-content',
    verdict: 'lost',
    async spoil(world) {
      const { id } = await buildFile(world.user, { name: 'empty-handed.txt' })
      const ofFile = `(SELECT blob_id FROM files WHERE id = ${id})`
      await spoil(world, `DELETE FROM blob_bytes WHERE blob_id = ${ofFile}`, `DELETE FROM blobs WHERE id = ${ofFile}`)
      return named(world, '/empty-handed.txt', id)
    },
  },
]
