/** Deleting users who own many items, while others work, and after a deletion that was interrupted. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFiles, renameFile } from '../../src/api/files.ts'
import { getFileStats } from '../../src/api/search.ts'
import { listTrash, trashFile } from '../../src/api/trash.ts'
import { deleteUser, listUsers } from '../../src/api/users.ts'
import { createKey } from '../../src/commands/admin/keys.ts'
import { plantEntries, plantFolder, plantTree } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { onlyOn } from '../support/only-on.ts'
import { countItems, expectTrueCounters, ownerOf, plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { breakOff as stopInTransfer } from '../support/transfer.ts'
import { sendWire } from '../support/wire.ts'

const fileBody = multipartBody([{ name: 'file', fileName: 'late.txt', value: 'late' }])
const largeBody = multipartBody([{ name: 'file', fileName: 'late.bin', value: Buffer.alloc(100_000, 'x') }])

let server: TestServer
let admin: BuiltUser

beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

const give = (from: BuiltUser, to: BuiltUser) => admin.call(deleteUser, { id: from.id, files: 'transfer', to: to.id })
const isGone = async (user: BuiltUser): Promise<boolean> =>
  !(await admin.call(listUsers, {})).users.some(({ id }) => id === user.id)

/** Live items of a space whose folder is in another space or in the trash. */
const findLost = (user: BuiltUser): Promise<object[]> =>
  server.deps.db.rows(
    `SELECT f.id FROM files f JOIN files p ON p.id = f.parent_id JOIN spaces s ON s.id = f.space_id
     WHERE s.owner_id = $1 AND (p.space_id <> f.space_id OR (f.deleted_at IS NULL
       AND f.trash_root_id IS NULL AND (p.deleted_at IS NOT NULL OR p.trash_root_id IS NOT NULL)))`,
    [user.id],
  )

/** A user with about 1,300 items, more than a third of them in the trash. */
async function buildOwner(): Promise<BuiltUser> {
  const user = await buildUser(server)
  const trashed = await plant(server, user, async (db, owner) => {
    await plantEntries(db, owner, await plantFolder(db, owner, null, 'Wide'), 800)
    const folder = await plantFolder(db, owner, null, 'Trashed')
    await plantEntries(db, owner, folder, 500)
    return folder
  })
  await user.call(trashFile, { id: trashed })
  return user
}

async function breakOff(from: BuiltUser, to: BuiltUser): Promise<void> {
  expect(await stopInTransfer(server, from, to)).toBe(true)
  expect(await countItems(server, to)).toBeGreaterThan(100)
}

describe('many items of a deleted user', () => {
  test('go to the receiver in slices, while others and the receiver work', async () => {
    const [user, receiver, other] = [await buildOwner(), await buildUser(server), await buildUser(server)]
    const count = await countItems(server, user)
    const work = async () => {
      await buildFile(other)
      await buildFile(receiver)
      // The receiver may use items that have arrived already, and may even give them names of items that are still to
      // arrive.
      const { recent_files } = await receiver.call(getFileStats, {})
      for (const { id } of recent_files) {
        const name = `Report ${(id * 7) % 800} of the year.pdf`
        await receiver.call(renameFile, { id, name }).catch(error => expect(error).toMatchObject({ status: 409 }))
      }
    }
    await Promise.all([give(user, receiver), ...Array.from({ length: 10 }, work)])
    expect(await isGone(user)).toBe(true)
    expect(await countItems(server, receiver)).toBe(count + 11)
    expect(await findLost(receiver)).toEqual([])
    await expectTrueCounters(server, receiver)
    expect((await receiver.call(listTrash, {})).files.map(({ name }) => name)).toEqual(['Trashed'])
  })

  test('are deleted in slices, folders after their contents', async () => {
    const user = await buildOwner()
    await plant(server, user, (db, owner) => plantTree(db, owner, 'Years', 2100))
    const [, other] = await Promise.all([admin.call(deleteUser, { id: user.id, files: 'delete' }), buildUser(server)])
    await buildFile(other)
    expect(await countItems(server, user)).toBe(0)
    expect(await isGone(user)).toBe(true)
  })
})

describe('an interrupted transfer', () => {
  test('is completed in the same folder when it is requested again', async () => {
    const [user, receiver] = [await buildOwner(), await buildUser(server)]
    const count = await countItems(server, user)
    await breakOff(user, receiver)
    await give(user, receiver)
    expect(await countItems(server, receiver)).toBe(count + 1)
    expect((await receiver.call(listFiles, {})).folders.map(({ name }) => name)).toEqual([user.username])
    expect(await findLost(receiver)).toEqual([])
    await expectTrueCounters(server, receiver)
  })

  test('numbers its names when the receiver has taken them meanwhile', async () => {
    const [user, receiver] = [await buildOwner(), await buildUser(server)]
    await breakOff(user, receiver)
    const liveFile = async ({ id }: BuiltUser) => {
      const row = await server.deps.db.row<{ id: number; name: string }>(
        `SELECT f.id, f.name FROM files f JOIN spaces s ON s.id = f.space_id
         WHERE s.owner_id = $1 AND f.is_directory = 0 AND f.deleted_at IS NULL AND f.trash_root_id IS NULL LIMIT 1`,
        [id],
      )
      return row ?? { id: 0, name: '' }
    }
    const [waiting, arrived] = [await liveFile(user), await liveFile(receiver)]
    await receiver.call(renameFile, { id: arrived.id, name: waiting.name })
    await give(user, receiver)
    expect((await receiver.call(getFile, { id: arrived.id })).file.name).toBe(waiting.name)
    const numbered = waiting.name.replace('.pdf', ' (1).pdf')
    expect((await receiver.call(getFile, { id: waiting.id })).file.path).toBe(`/${user.username}/Wide/${numbered}`)
  })

  test('can end with the deletion of the rest, and what has arrived moves to the receiver’s root', async () => {
    const [user, receiver] = [await buildOwner(), await buildUser(server)]
    await breakOff(user, receiver)
    await admin.call(deleteUser, { id: user.id, files: 'delete' })
    expect(await isGone(user)).toBe(true)
    expect(await findLost(receiver)).toEqual([])
    await expectTrueCounters(server, receiver)
    const { files, total } = await receiver.call(listFiles, { limit: 1 })
    expect(total + (await receiver.call(listTrash, {})).total).toBeGreaterThan(0)
    for (const { id } of files) expect((await receiver.call(getFile, { id })).file.path).toMatch(/^\/[^/]+$/)
  })

  test.each(['delete', 'transfer'] as const)(
    'invalidates the receiver’s listing of the root when what has arrived moves there: %s',
    async files => {
      const [user, receiver, other] = [await buildOwner(), await buildUser(server), await buildUser(server)]
      await breakOff(user, receiver)
      const etag = (await receiver.raw('/api/files')).headers.get('etag') ?? ''
      await admin.call(deleteUser, { id: user.id, files, ...(files === 'delete' ? {} : { to: other.id }) })
      const again = await receiver.raw('/api/files', { headers: { 'if-none-match': etag } })
      expect([etag === '', again.status]).toEqual([false, 200])
    },
  )

  test('can end with another receiver, even after the first receiver was deleted', async () => {
    const [user, first, second] = [await buildOwner(), await buildUser(server), await buildUser(server)]
    await breakOff(user, first)
    await admin.call(deleteUser, { id: first.id, files: 'delete' })
    await give(user, second)
    expect([await isGone(user), await isGone(first)]).toEqual([true, true])
    expect(await findLost(second)).toEqual([])
    await expectTrueCounters(server, second)
  })
})

describe('an administrator who loses the right after a slice', () => {
  const roleOf = (name: string) => server.deps.db.row<{ id: number }>('SELECT id FROM roles WHERE name = $1', [name])
  const disable = async () => 'is_active = 0'
  const demote = async () => `role_id = ${(await roleOf('user'))?.id}`

  test.for([
    ['disabled', 'delete', disable, 401],
    ['demoted', 'delete', demote, 403],
    ['disabled', 'transfer', disable, 401],
    ['demoted', 'transfer', demote, 403],
  ] as const)(
    'deletes nothing more, and another administrator can finish: %s, %s',
    async ([_what, files, change, status], context) => {
      onlyOn('sqlite', context)
      const [deputy, user, receiver] = [
        await buildUser(server, { role: 'admin' }),
        await buildOwner(),
        await buildUser(server),
      ]
      const [{ spaceId }, count] = [await ownerOf(server, user), await countItems(server, user)]
      const to = files === 'transfer' ? receiver.id : undefined
      await spoilRows(
        server,
        `CREATE TRIGGER ends_with_slice AFTER ${files === 'delete' ? 'DELETE' : 'UPDATE'} ON files FOR EACH ROW
       BEGIN UPDATE users SET ${await change()} WHERE id = ${deputy.id} AND OLD.space_id = ${spaceId}; END`,
      )
      const ended = await deputy.call(deleteUser, { id: user.id, files, to }).catch(error => error)
      await spoilRows(server, 'DROP TRIGGER ends_with_slice')
      expect(ended).toMatchObject({ status })
      expect(await countItems(server, user)).toBeGreaterThan(count - 250)
      expect(await isGone(user)).toBe(false)
      await admin.call(deleteUser, { id: user.id, files, to })
      expect(await isGone(user)).toBe(true)
      expect(await countItems(server, receiver)).toBe(to === undefined ? 0 : count + 1)
      expect(await findLost(receiver)).toEqual([])
      await expectTrueCounters(server, receiver)
    },
  )
})

describe('concurrent requests', () => {
  test('to delete one user in different ways all come to an end', async () => {
    const [user, receiver] = [await buildOwner(), await buildUser(server)]
    const calls = [give(user, receiver), admin.call(deleteUser, { id: user.id, files: 'delete' }), give(user, receiver)]
    for (const outcome of await Promise.allSettled(calls)) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 404 })
    }
    expect(await isGone(user)).toBe(true)
    expect(await findLost(receiver)).toEqual([])
    await expectTrueCounters(server, receiver)
  })

  test('to give the files of two users to each other leave one of the users, with all files', async () => {
    const [one, two] = [await buildOwner(), await buildOwner()]
    const count = (await countItems(server, one)) + (await countItems(server, two))
    const outcomes = await Promise.allSettled([give(one, two), give(two, one)])
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
    const left = (await isGone(one)) ? two : one
    expect(await countItems(server, left)).toBe(count + 1)
    expect(await findLost(left)).toEqual([])
  })

  test('to upload into an account while it is deleted leave nothing behind', async () => {
    for (const files of ['delete', 'transfer'] as const) {
      const [user, receiver] = [await buildUser(server), await buildUser(server)]
      const folder = await buildFolder(user)
      const uploads = Array.from({ length: 20 }, (_, n) =>
        buildFile(user, { parent_id: n % 2 === 0 ? folder.id : null }, Buffer.alloc(40_000, n)),
      )
      const to = files === 'transfer' ? receiver.id : undefined
      const outcomes = await Promise.allSettled([admin.call(deleteUser, { id: user.id, files, to }), ...uploads])
      expect(outcomes[0]).toMatchObject({ status: 'fulfilled' })
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect([401, 404, 413]).toContain(outcome.reason.status)
      }
      expect(await isGone(user)).toBe(true)
      await expectTrueCounters(server, receiver)
    }
  })
})

test('an API key made on the command line while its user is deleted does not outlive the user', async () => {
  const flags = { dataDir: server.dataDir, database: server.databaseFlag, logLevel: 'silent' }
  for (let round = 0; round < 5; round++) {
    const user = await buildUser(server)
    const [made] = await Promise.allSettled([
      createKey(flags, user.username, { name: 'late', permissions: ['files:read'] }),
      admin.call(deleteUser, { id: user.id }),
    ])
    if (made.status === 'rejected') expect(made.reason).toMatchObject({ code: 'not_found' })
    expect(await server.deps.db.rows('SELECT id FROM api_keys WHERE user_id = $1', [user.id])).toEqual([])
  }
})

describe('a request that runs while its user is deleted', () => {
  const jsonType = { 'content-type': 'application/json' }
  test.each<[string, string, Record<string, string>, Buffer]>([
    ['an upload', '/files/upload', { 'content-type': multipartType }, fileBody],
    ['a large upload', '/files/upload', { 'content-type': multipartType }, largeBody],
    ['a new folder', '/files/folders', jsonType, Buffer.from('{"name":"late"}')],
    ['a new tag', '/tags', jsonType, Buffer.from('{"name":"late","color":"#112233"}')],
    ['a new key', '/auth/api-keys', jsonType, Buffer.from('{"name":"late","permissions":["files:write"]}')],
  ])('is refused with 401 because the access has ended: %s', async (_what, path, type, body) => {
    const user = await buildUser(server)
    const key = await buildKey(server, user, ['files:upload', 'files:write', 'tags:write', 'api-keys:manage'])
    const before = await readHoldings(server)
    let finish = () => {}
    const rest = new Promise<void>(resolve => {
      finish = resolve
    })
    async function* pieces(): AsyncGenerator<Buffer> {
      yield body.subarray(0, -8)
      await rest
      yield body.subarray(-8)
    }
    const headers = { ...key.headers, ...type }
    const answer = sendWire(server.url, { method: 'POST', path: `/api${path}`, headers, body: pieces() })
    const { db } = server.deps
    await expect
      .poll(() => db.row('SELECT id FROM api_keys WHERE id = $1 AND last_used_at IS NOT NULL', [key.id]))
      .toBeDefined()
    await admin.call(deleteUser, { id: user.id })
    finish()
    const { status, text } = await answer
    expect([status, JSON.parse(text)]).toMatchObject([
      401,
      { error: 'unauthenticated', message: 'Your access has ended meanwhile' },
    ])
    expect(await readHoldings(server)).toEqual(before)
  })
})
