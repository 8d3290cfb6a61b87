/** Small files that arrive at the same time share a write, and each is still an upload of its own. */
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/client.ts'
import { listAudit } from '../../src/api/events.ts'
import { listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser, turnSettings } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const atOnce = 40
const many = <T>(one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: atOnce }, (_, index) => one(index)))

const listed = (user: BuiltUser, parent_id: number | null = null) => user.call(listFiles, { parent_id, limit: 1000 })

/** `stored`, or the error code. */
const outcomeOf = (upload: Promise<unknown>): Promise<string> =>
  upload.then(
    () => 'stored',
    (error: unknown) => (error instanceof ApiError ? String(error.code) : String(error)),
  )

/** Makes the database refuse some names, as a damaged disk or index might refuse some rows. */
const poison = {
  sqlite: `CREATE TRIGGER poison BEFORE INSERT ON files WHEN NEW.name LIKE 'poison%'
    BEGIN SELECT RAISE(ABORT, 'no'); END`,
  mariadb: `CREATE TRIGGER poison BEFORE INSERT ON files FOR EACH ROW
    BEGIN IF NEW.name LIKE 'poison%' THEN SIGNAL SQLSTATE '45000'; END IF; END`,
}

/** Changes the tables over a separate connection, as the server's user may not on MariaDB. */
async function define(sql: string): Promise<void> {
  const { databaseFlag, deps } = server
  if (databaseFlag === undefined) return deps.db.touch(() => deps.db.change(sql)).then(() => undefined)
  const connection = await mysql.createConnection(databaseFlag)
  await connection.query(sql)
  await connection.end()
}

const spaceOf = (user: BuiltUser) =>
  server.deps.db.row<{ storage_used: number; item_count: number }>(
    'SELECT storage_used, item_count FROM spaces WHERE owner_id = $1',
    [user.id],
  )

describe('many small files uploaded at once', () => {
  test('are all stored with their own bytes, names, times and folders, and are counted exactly', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user)
    const modified_at = '2020-02-02T02:02:02.000Z'
    const files = await many(index =>
      buildFile(
        user,
        { name: `${index}.txt`, parent_id: index % 2 === 0 ? folder.id : null, modified_at },
        `bytes of ${index}`,
      ),
    )
    expect(new Set(files.map(({ id }) => id)).size).toBe(atOnce)
    for (const [index, file] of files.entries()) {
      expect(file).toMatchObject({ name: `${index}.txt`, parent_id: index % 2 === 0 ? folder.id : null, modified_at })
      expect(await (await user.raw(`/api/files/${file.id}/download`)).text()).toBe(`bytes of ${index}`)
    }
    expect((await listed(user, folder.id)).total).toBe(atOnce / 2)
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    expect(await spaceOf(user)).toEqual({ storage_used: bytes, item_count: atOnce + 1 })
  })

  test('of one name each get a number', async () => {
    const user = await buildUser(server)
    await many(index => buildFile(user, { name: 'same.txt' }, `${index}`))
    const { files } = await listed(user)
    const numbered = Array.from({ length: atOnce - 1 }, (_, index) => `same (${index + 1}).txt`)
    expect(files.map(({ name }) => name).sort()).toEqual(['same.txt', ...numbered].sort())
  })

  test('of one content share one blob', async () => {
    const user = await buildUser(server)
    const before = await readHoldings(server)
    await many(() => buildFile(user, {}, 'the same in all'))
    expect((await readHoldings(server)).blobs).toBe(before.blobs + 1)
  })

  test('are stored even when one of them is refused', async () => {
    const user = await buildUser(server)
    const parentOf = (index: number) => (index % 4 === 0 ? 999_999 : null)
    const outcomes = await many(index => outcomeOf(buildFile(user, { parent_id: parentOf(index) })))
    expect(outcomes.filter(outcome => outcome === 'stored')).toHaveLength((atOnce * 3) / 4)
    expect(outcomes.filter(outcome => outcome === 'not_found')).toHaveLength(atOnce / 4)
  })

  test('are stored even when the database fails for one of them', async () => {
    const user = await buildUser(server)
    await define(poison[server.deps.db.dialect])
    const nameOf = (index: number) => `${index % 8 === 0 ? 'poison' : 'good'}-${index}`
    const outcomes = await many(index => outcomeOf(buildFile(user, { name: nameOf(index) })))
    await define('DROP TRIGGER poison')
    expect(outcomes).toEqual(outcomes.map((_, index) => (index % 8 === 0 ? 'internal' : 'stored')))
    expect((await listed(user)).total).toBe((atOnce * 7) / 8)
  })

  test('of the same contents, sent by two users in opposite order, are stored for both', async () => {
    const [ann, bob] = [await buildUser(server), await buildUser(server)]
    const rounds = 10
    for (let round = 0; round < rounds; round++) {
      const send = (user: BuiltUser, order: (index: number) => number) =>
        many(index => outcomeOf(buildFile(user, {}, `content ${round} ${order(index)}`)))
      const outcomes = await Promise.all([send(ann, index => index), send(bob, index => atOnce - 1 - index)])
      expect(new Set(outcomes.flat())).toEqual(new Set(['stored']))
    }
    const shared = await server.deps.db.row<{ count: number }>(
      `SELECT COUNT(DISTINCT f.blob_id) AS count FROM files f JOIN spaces s ON s.id = f.space_id
       WHERE s.owner_id IN ($1, $2)`,
      [ann.id, bob.id],
    )
    expect(shared?.count).toBe(atOnce * rounds)
  })

  test('fill a quota to the last byte and not beyond, and refused ones leave nothing', async () => {
    const user = await buildUser(server, { storageQuota: 100 })
    const before = await readHoldings(server)
    const outcomes = await many(index => outcomeOf(buildFile(user, {}, `10 bytes${index + 10}`)))
    expect(outcomes.filter(outcome => outcome === 'stored')).toHaveLength(10)
    expect(outcomes.filter(outcome => outcome === 'quota_exceeded')).toHaveLength(atOnce - 10)
    expect(await spaceOf(user)).toEqual({ storage_used: 100, item_count: 10 })
    const { files, blobs, blobBytes } = await readHoldings(server)
    expect({
      files: files - before.files,
      blobs: blobs - before.blobs,
      blobBytes: blobBytes - before.blobBytes,
    }).toEqual({
      files: 10,
      blobs: 10,
      blobBytes: 10,
    })
  })

  test('are each recorded with their own actor and API key', async () => {
    const [admin, user] = [await buildUser(server, { role: 'admin' }), await buildUser(server)]
    const key = await buildKey(server, user, ['files:upload'])
    const files = await many(index => buildFile(index % 2 === 0 ? user : key))
    const { events } = await admin.call(listAudit, { action: 'file.upload', limit: 200 })
    for (const [index, file] of files.entries()) {
      const event = events.find(({ item_id }) => item_id === file.id)
      expect(event).toMatchObject({ actor_id: user.id, key_id: index % 2 === 0 ? null : key.id })
    }
  })

  test('wait for approval when validation is on', async () => {
    const [admin, user] = [await buildUser(server, { role: 'admin' }), await buildUser(server)]
    await turnSettings(admin, { validation_enabled: true })
    const files = await many(() => buildFile(user))
    await turnSettings(admin, { validation_enabled: false })
    expect(new Set(files.map(({ validation_status }) => validation_status))).toEqual(new Set(['pending']))
  })
})
