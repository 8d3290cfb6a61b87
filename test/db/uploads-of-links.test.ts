/** The migration that gives uploads a link: users' uploads stay on the way down and up, and visitors' give their room back. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadsOfLinks } from '../../migrations/0089-uploads-of-links.ts'
import { getProfile } from '../../src/api/auth.ts'
import { findSchema } from '../../src/db/schema.ts'
import { findMiscounts } from '../support/counters.ts'
import { buildFolder, buildUser } from '../support/factories.ts'
import { openSender } from '../support/link-uploads.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { beginUpload, idOf, offsetOf, patch } from '../support/tus.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
})
afterAll(() => server.close())

test('uploads of users go on after the migration was taken back and run again, and those of visitors are gone', async () => {
  const { db } = server.deps
  const user = await buildUser(server)
  const own = await beginUpload(user, { length: 10, body: Buffer.from('words') })
  const sender = await openSender(server, user, await buildFolder(user))
  await sender.begin({ length: 300_000 })
  // What is made again comes behind what later migrations have made.
  const readSchema = async () => new Set((await findSchema(db)).map(part => JSON.stringify(part)))
  const schema = await readSchema()
  // MariaDB commits at each statement about a table, so a migration may run again that was done.
  const times = db.dialect === 'mariadb' ? [1, 2] : [1]
  for (const _time of times) await spoilRows(server, ...uploadsOfLinks.down[db.dialect])
  expect(await db.rows('SELECT id FROM uploads')).toEqual([{ id: idOf(own) }])
  for (const _time of times) await spoilRows(server, ...uploadsOfLinks.up[db.dialect])
  expect(await readSchema()).toEqual(schema)
  expect((await user.call(getProfile, {})).storage_reserved).toBe(10)
  expect(await findMiscounts(db)).toEqual([])
  expect(offsetOf(await patch(user, own, 5, Buffer.from('again')))).toBe('10')
  expect((await sender.ask({ length: 1 })).status).toBe(201)
})
