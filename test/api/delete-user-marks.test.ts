/** A user's tags and favorites on others' items go with the user, a slice at a time, and after the user's own files. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import { listTags } from '../../src/api/tags.ts'
import { deleteUser } from '../../src/api/users.ts'
import { plantTree } from '../bench/plant.ts'
import { signIn } from '../support/client.ts'
import { buildTag, buildUser } from '../support/factories.ts'
import { measureLargestWrite } from '../support/largest-write.ts'
import { onlyOn, onlyOneServer } from '../support/only-on.ts'
import { countItems, plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Rows of one table that one write deletes. */
const most = 2000

test('thousands of tags and favorites on shared items are deleted in slices with their user', async context => {
  onlyOneServer('process', context)
  const { db } = server.deps
  const [admin, user, owner] = [
    await buildUser(server, { role: 'admin' }),
    await buildUser(server),
    await buildUser(server),
  ]
  const folder = await plant(server, owner, (db, of) => plantTree(db, of, 'shared', 4500))
  const tag = await buildTag(user)
  const files = await db.rows<{ id: number }>('SELECT id FROM files WHERE owner_id = $1', [owner.id])
  await db.touch(async () => {
    await db.insertAll(
      db.fileTags,
      files.map(({ id }) => ({ tag_id: tag.id, file_id: id })),
    )
    for (const { id } of files) {
      await db.change('INSERT INTO favorites (user_id, file_id) SELECT $1, id FROM files WHERE id = $2', [user.id, id])
    }
  })
  const marks = {
    sql: `SELECT (SELECT COUNT(*) FROM favorites WHERE user_id = $1)
      + (SELECT COUNT(*) FROM file_tags WHERE tag_id = $2) AS count`,
    bind: [user.id, tag.id],
  }
  const drop = () => admin.call(deleteUser, { id: user.id })
  expect(await measureLargestWrite(db, marks, drop)).toBeLessThanOrEqual(most)
  expect(await db.row(marks.sql, marks.bind)).toEqual({ count: 0 })
  expect(await db.rows('SELECT id FROM users WHERE id = $1', [user.id])).toEqual([])
  expect((await owner.call(getFile, { id: folder })).file.name).toBe('shared')
})

test('a deletion that stops leaves the files that are still there with their tags, however many', async context => {
  onlyOn('sqlite', context)
  const { db } = server.deps
  const [admin, user] = [await buildUser(server, { role: 'admin' }), await buildUser(server)]
  await plant(server, user, (db, of) => plantTree(db, of, 'own', most + 100))
  const tag = await buildTag(user)
  const ofAll = 'INSERT INTO file_tags (tag_id, file_id) SELECT $1, id FROM files WHERE owner_id = $2'
  await db.touch(() => db.change(ofAll, [tag.id, user.id]))
  // With the first files that go, the user is enabled again.
  await spoilRows(
    server,
    `CREATE TRIGGER enables_with_slice AFTER DELETE ON files FOR EACH ROW
     BEGIN UPDATE users SET is_active = 1 WHERE id = ${user.id}; END`,
  )
  const stopped = await admin.call(deleteUser, { id: user.id, files: 'delete' }).catch(error => error)
  await spoilRows(server, 'DROP TRIGGER enables_with_slice')
  expect(stopped).toMatchObject({ status: 409, code: 'protected' })
  const again = await signIn(server.url, user.username, user.password)
  expect((await again.call(listTags, {})).tags).toMatchObject([{ file_count: await countItems(server, user) }])
})
