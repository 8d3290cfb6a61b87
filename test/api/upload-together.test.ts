/** Small files that come in at the same time, which the server stores together: each is still its own upload. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/client.ts'
import { listAudit } from '../../src/api/events.ts'
import { listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser, turnSettings } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const atOnce = 40
const many = <T>(one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: atOnce }, (_, index) => one(index)))

const listed = (user: BuiltUser, parent_id: number | null = null) => user.call(listFiles, { parent_id, limit: 1000 })

/** `stored`, or the code of the refusal. */
const outcomeOf = (upload: Promise<unknown>): Promise<string> =>
  upload.then(
    () => 'stored',
    (error: unknown) => (error instanceof ApiError ? String(error.code) : String(error)),
  )

const spaceOf = (user: BuiltUser) =>
  server.deps.db.row<{ storage_used: number; item_count: number }>(
    'SELECT storage_used, item_count FROM spaces WHERE owner_id = $1',
    [user.id],
  )

describe('many small files at once', () => {
  test('are all there with their own bytes, names, times and folders, and are counted exactly', async () => {
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

  test('of one name get free names, each another', async () => {
    const user = await buildUser(server)
    await many(index => buildFile(user, { name: 'same.txt' }, `${index}`))
    const { files } = await listed(user)
    const numbered = Array.from({ length: atOnce - 1 }, (_, index) => `same (${index + 1}).txt`)
    expect(files.map(({ name }) => name).sort()).toEqual(['same.txt', ...numbered].sort())
  })

  test('of one content share it, and it goes with the last of them', async () => {
    const user = await buildUser(server)
    const before = await readHoldings(server)
    await many(() => buildFile(user, {}, 'the same in all'))
    expect((await readHoldings(server)).blobs).toBe(before.blobs + 1)
  })

  test('do not suffer from one among them that is refused', async () => {
    const user = await buildUser(server)
    const parentOf = (index: number) => (index % 4 === 0 ? 999_999 : null)
    const outcomes = await many(index => outcomeOf(buildFile(user, { parent_id: parentOf(index) })))
    expect(outcomes.filter(outcome => outcome === 'stored')).toHaveLength((atOnce * 3) / 4)
    expect(outcomes.filter(outcome => outcome === 'not_found')).toHaveLength(atOnce / 4)
  })

  test('fill a quota to the last byte and not beyond', async () => {
    const user = await buildUser(server, { storageQuota: 100 })
    const outcomes = await many(index => outcomeOf(buildFile(user, {}, `10 bytes${index + 10}`)))
    expect(outcomes.filter(outcome => outcome === 'stored')).toHaveLength(10)
    expect(outcomes.filter(outcome => outcome === 'quota_exceeded')).toHaveLength(atOnce - 10)
    expect(await spaceOf(user)).toEqual({ storage_used: 100, item_count: 10 })
  })

  test('are each told as the act of who sent it', async () => {
    const [admin, user] = [await buildUser(server, { role: 'admin' }), await buildUser(server)]
    const key = await buildKey(server, user, ['files:upload'])
    const files = await many(index => buildFile(index % 2 === 0 ? user : key))
    const { events } = await admin.call(listAudit, { action: 'file.upload', limit: 200 })
    for (const [index, file] of files.entries()) {
      const event = events.find(({ item_id }) => item_id === file.id)
      expect(event).toMatchObject({ actor_id: user.id, key_id: index % 2 === 0 ? null : key.id })
    }
  })

  test('wait for approval where uploads do', async () => {
    const [admin, user] = [await buildUser(server, { role: 'admin' }), await buildUser(server)]
    await turnSettings(admin, { validation_enabled: true })
    const files = await many(() => buildFile(user))
    await turnSettings(admin, { validation_enabled: false })
    expect(new Set(files.map(({ validation_status }) => validation_status))).toEqual(new Set(['pending']))
  })
})
