/** Copying folders with everything below them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { copyFile, getFile, listFiles } from '../../src/api/files.ts'
import { createTag } from '../../src/api/tags.ts'
import { deleteFile, listTrash, trashFile } from '../../src/api/trash.ts'
import { updateUser } from '../../src/api/users.ts'
import { plantTree } from '../bench/plant.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildChain, buildField, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { onlyOn, onlyOneServer } from '../support/only-on.ts'
import { countItems, expectTrueCounters, plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

const copy = async (id: number, parent_id: number | null = null, name?: string) =>
  (await user.call(copyFile, { id, parent_id, name })).file
const tryCopy = (id: number, body: object, client: TestClient = user) =>
  client.raw(`/api/files/${id}/copy`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Every live path below a folder, with its size. */
async function readPaths(parentId: number | null): Promise<string[]> {
  const { files, folders } = await user.call(listFiles, { parent_id: parentId })
  const below = await Promise.all(folders.map(({ id }) => readPaths(id)))
  return [
    ...folders.map(({ path }) => path),
    ...files.map(({ path, size }) => `${path} ${size}`),
    ...below.flat(),
  ].sort()
}

describe('copying a folder', () => {
  test('copies everything live below it and nothing trashed', async () => {
    const [top = 0, middle = 0] = await buildChain(user, 3)
    await buildFile(user, { name: 'a.txt', parent_id: top }, 'a')
    await buildFile(user, { name: 'b.txt', parent_id: middle }, 'bb')
    const [gone, goneFolder] = [await buildFile(user, { parent_id: top }), await buildFolder(user, 'gone', middle)]
    await buildFile(user, { parent_id: goneFolder.id })
    await user.call(trashFile, { id: gone.id })
    await user.call(trashFile, { id: goneFolder.id })
    const source = await user.call(getFile, { id: top })
    const made = await copy(top, null, 'copied')
    const rename = (path: string) => path.replace(source.file.path, '/copied')
    expect(await readPaths(made.id)).toEqual((await readPaths(top)).map(rename).sort())
    expect((await user.call(listTrash, {})).total).toBe(2)
    await expectTrueCounters(server, user)
  })

  test('copies thousands of items with their tags and metadata, each into the copy of its folder', async () => {
    const folder = await plant(server, user, (db, owner) => plantTree(db, owner, 'planted', 3300))
    const { db } = server.deps
    const field = await buildField(admin)
    const { tag } = await user.call(createTag, { name: 'every third', color: '#112233' })
    await db.touch(async () => {
      const files = 'FROM files WHERE owner_id = $2 AND is_directory = 0 AND id % 3 = 0'
      await db.change(`INSERT INTO file_tags (tag_id, file_id) SELECT $1, id ${files}`, [tag.id, user.id])
      await db.change(
        `INSERT INTO file_metadata (file_id, field_id, value, value_folded) SELECT id, $1, name, name ${files}`,
        [field.id, user.id],
      )
    })
    const before = await countItems(server, user)
    const made = await copy(folder)
    expect(await countItems(server, user)).toBe(before * 2)
    expect(made).toMatchObject({ name: 'planted (1)', parent_id: null, deleted_at: null })
    const describeBelow = (id: number) =>
      db.rows(
        `SELECT p.name AS folder, f.name, f.size, f.mime_type, f.blob_id, f.sort_key, f.name_folded, t.tag_id, m.value
         FROM files p JOIN files f ON f.parent_id = p.id LEFT JOIN file_tags t ON t.file_id = f.id
           LEFT JOIN file_metadata m ON m.file_id = f.id
         WHERE p.parent_id = $1 AND f.deleted_at IS NULL AND f.trash_root_id IS NULL ORDER BY p.name, f.name`,
        [id],
      )
    const copied = await describeBelow(made.id)
    expect(copied.length).toBeGreaterThan(3000)
    expect(copied).toEqual(await describeBelow(folder))
    await expectTrueCounters(server, user)
  })

  test('is shown by a write that changes the folder alone in the lists, however much is below it', async context => {
    onlyOn('sqlite', context)
    const { db } = server.deps
    const run = (sql: string) => db.touch(() => db.change(sql))
    const top = await plant(server, user, (_db, owner) => plantTree(db, owner, 'many', 300))
    await run('CREATE TABLE shown (id INTEGER)')
    await run(`CREATE TRIGGER count_shown AFTER UPDATE OF deleted_at ON files
      WHEN old.deleted_at IS NOT new.deleted_at BEGIN INSERT INTO shown VALUES (new.id); END`)
    const made = await copy(top, null, 'copied')
    expect(await db.rows('SELECT id FROM shown')).toEqual([{ id: made.id }])
    await run('DROP TRIGGER count_shown')
    await run('DROP TABLE shown')
    expect(await findMiscounts(db)).toEqual([])
  })

  test('copies an empty folder, and one with hundreds of empty folders', async () => {
    const empty = await buildFolder(user, 'empty')
    expect(await copy(empty.id)).toMatchObject({ name: 'empty (1)', is_directory: true, path: '/empty (1)' })
    const wide = await buildFolder(user, 'wide')
    await server.deps.db.touch(() =>
      server.deps.db.change(
        `INSERT INTO files (space_id, owner_id, parent_id, name, name_folded, sort_key, is_directory, size, is_favorite,
           validation_status, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
         SELECT f.space_id, f.owner_id, f.id, CONCAT('d', n.i), 'd', 'd', 1, 0, 0, 'approved', 0, 0
         FROM files f JOIN n ON 1 = 1 WHERE f.id = $1`,
        [wide.id],
      ),
    )
    const made = await copy(wide.id)
    expect((await user.call(listFiles, { parent_id: made.id, limit: 1 })).total_folders).toBe(900)
  })

  test('numbers its name when the target has that name already', async () => {
    const [folder, target] = [await buildFolder(user, 'folder.d'), await buildFolder(user, 'target')]
    expect((await copy(folder.id, target.id)).path).toBe('/target/folder.d')
    expect((await copy(folder.id, target.id)).path).toBe('/target/folder.d (1)')
    expect((await copy(folder.id, target.id, 'other')).path).toBe('/target/other')
  })

  test('is 409 when the target is the folder itself or below it', async () => {
    const [top = 0, middle = 0] = await buildChain(user, 2)
    for (const parent_id of [top, middle]) {
      expect(await failure(await tryCopy(top, { parent_id }))).toEqual({ status: 409, error: 'would_cycle' })
    }
    expect(await countItems(server, user)).toBe(2)
  })

  test('is allowed up to the greatest depth of a tree, and is 400 beyond it', async () => {
    const chain = await buildChain(user, 98)
    const [one = 0] = await buildChain(user, 2)
    expect((await copy(one, chain.at(-1))).parent_id).toBe(chain.at(-1))
    const before = await countItems(server, user)
    const [three = 0] = await buildChain(user, 3)
    expect(await failure(await tryCopy(three, { parent_id: chain.at(-1) }))).toMatchObject({
      status: 400,
      fields: { parent_id: expect.any(String) },
    })
    expect(await countItems(server, user)).toBe(before + 3)
  })

  test('is 413 before anything is stored when it would exceed the quota', async () => {
    user = await buildUser(server, { storageQuota: 999 })
    const folder = await buildFolder(user)
    for (let n = 0; n < 5; n++) await buildFile(user, { parent_id: folder.id }, Buffer.alloc(100, n))
    const before = await readHoldings(server)
    expect(await failure(await tryCopy(folder.id, {}))).toEqual({ status: 413, error: 'quota_exceeded' })
    expect(await readHoldings(server)).toEqual(before)
    expect((await user.call(getProfile, {})).storage_used).toBe(500)
  })

  test('stops before the next slice and leaves nothing when the user is disabled', async context => {
    onlyOneServer('process', context)
    const [top = 0] = await buildChain(user, 8)
    const before = await readHoldings(server)
    const { freeSpace } = server.deps
    const { admit } = freeSpace
    let slices = 0
    // Each level of folders is a slice, and each slice asks for free space.
    freeSpace.admit = async (...asked) => {
      slices += 1
      if (slices === 2) await admin.call(updateUser, { id: user.id, is_active: false })
      return admit.apply(freeSpace, asked)
    }
    const answer = await tryCopy(top, { parent_id: null }).finally(() => {
      freeSpace.admit = admit
    })
    expect(answer.status).toBe(401)
    expect(slices).toBe(2)
    expect(await readHoldings(server)).toEqual(before)
  })

  test('records one event, and the copy can be trashed and deleted like any folder', async () => {
    const folder = await plant(server, user, (db, owner) => plantTree(db, owner, 'once', 700))
    const before = await countItems(server, user)
    const made = await copy(folder)
    const events = await server.deps.db.rows<{ item_id: number; detail: string }>(
      "SELECT item_id, detail FROM events WHERE actor_id = $1 AND action = 'file.copy'",
      [user.id],
    )
    expect(events).toEqual([{ item_id: made.id, detail: `{"from":${folder},"name":"once (1)","parent_id":null}` }])
    await user.call(trashFile, { id: made.id })
    await user.call(deleteFile, { id: made.id })
    expect(await countItems(server, user)).toBe(before)
    await expectTrueCounters(server, user)
  })
})
