/** The counts of tags that were set tens of thousands of times, which are counted in ranges. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listTags, tagFiles, updateTag } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildTag, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser

beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const countsOf = async (who: BuiltUser) =>
  Object.fromEntries((await who.call(listTags, {})).tags.map(({ name, file_count }) => [name, file_count]))

test('of many tags on the same files are right', async () => {
  const ann = await buildUser(server)
  const tags: { name: string; id: number; files: number }[] = []
  for (let n = 0; n < 100; n++) tags.push({ ...(await buildTag(ann, `tag ${n}`)), files: 300 - n })
  await plant(server, ann, async (db, owner) => {
    const folder = await plantFolder(db, owner, null, 'some')
    await plantEntries(db, owner, folder, 300)
    for (const { id, files } of tags) {
      const some = `SELECT $1, id FROM files WHERE parent_id = $2 ORDER BY id LIMIT ${files}`
      await db.change(`INSERT INTO file_tags (tag_id, file_id) ${some}`, [id, folder])
    }
  })
  expect(await countsOf(ann)).toEqual(Object.fromEntries(tags.map(({ name, files }) => [name, files])))
  const [first] = tags
  if (first === undefined) return expect.fail()
  const renamed = await ann.call(updateTag, { id: first.id, name: 'first', color: '#3B82F6' })
  expect(renamed.tag.file_count).toBe(300)
})

test('of a tag that a damaged database has on thousands of files that are gone are right', async () => {
  const ann = await buildUser(server)
  const tag = await buildTag(ann, 'lost')
  await ann.call(tagFiles, { tag_id: tag.id, file_ids: [(await buildFile(ann)).id] })
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)'
  const pairs = `SELECT ${tag.id}, 1000000 + a.i * 150 + b.i FROM n a JOIN n b ON 1 = 1`
  await spoilRows(server, `INSERT INTO file_tags (tag_id, file_id) ${numbers} ${pairs}`)
  expect(await countsOf(ann)).toEqual({ lost: 1 })
})

test('are right for each tag, without trashed files, and with those that others share', async context => {
  // It takes MariaDB twenty seconds to make the rows.
  onlyOn('sqlite', context)
  const { id: often } = await buildTag(user, 'often')
  const { id: rarely } = await buildTag(user, 'rarely')
  await buildTag(user, 'never')
  const planted = await plant(server, user, async (db, owner) => {
    const folder = await plantFolder(db, owner, null, 'many')
    await plantEntries(db, owner, folder, 20_500)
    await db.change('INSERT INTO file_tags (tag_id, file_id) SELECT $1, id FROM files WHERE parent_id = $2', [
      often,
      folder,
    ])
    return folder
  })
  const [kept, trashed] = [await buildFile(user), await buildFile(user)]
  await user.call(tagFiles, { tag_id: rarely, file_ids: [kept.id, trashed.id] })
  await user.call(trashFile, { id: trashed.id })
  const other = await buildUser(server)
  const shared = await buildFolder(other, 'shared')
  await buildShare(other, shared, user, 'edit')
  const inside = await buildFile(other, { parent_id: shared.id })
  await user.call(tagFiles, { tag_id: often, file_ids: [inside.id] })

  expect(await countsOf(user)).toEqual({ often: 20_501, rarely: 1, never: 0 })
  const renamed = await user.call(updateTag, { id: often, name: 'usually', color: '#3B82F6' })
  expect(renamed.tag.file_count).toBe(20_501)
  await user.call(trashFile, { id: planted })
  expect(await countsOf(user)).toEqual({ usually: 1, rarely: 1, never: 0 })
})
