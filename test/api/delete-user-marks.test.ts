/** A user's tags and favorites on others' items go with the user, a slice at a time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import { deleteUser } from '../../src/api/users.ts'
import { plantTree } from '../bench/plant.ts'
import { buildTag, buildUser } from '../support/factories.ts'
import { measureLargestWrite } from '../support/largest-write.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
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
