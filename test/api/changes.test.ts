/** The feed of changes: complete and in order for those who see a place, and silent for everybody else. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Change, listChanges } from '../../src/api/changes.ts'
import { createFolder, moveFile, renameFile } from '../../src/api/files.ts'
import { createShare, deleteShare } from '../../src/api/shares.ts'
import { deleteFile, restoreFile, trashFile } from '../../src/api/trash.ts'
import { day } from '../../src/base/clock.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildShare,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { ownerOf } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let other: BuiltUser
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  ;[user, other] = await Promise.all([buildUser(server), buildUser(server)])
})
afterAll(() => server.close())

const end = async (client: TestClient, spaceId?: number): Promise<string> =>
  (await client.call(listChanges, { space: spaceId })).cursor
const since = (client: TestClient, cursor: string) => client.call(listChanges, { since: cursor })
const acts = (changes: readonly Change[]) => changes.map(({ action, item_id }) => [action, item_id])

/** All pages behind a cursor, and the last cursor. */
async function readAll(
  client: TestClient,
  start: string,
  limit: number,
): Promise<{ changes: Change[]; cursor: string }> {
  const changes: Change[] = []
  let cursor = start
  for (;;) {
    const page = await client.call(listChanges, { since: cursor, limit })
    cursor = page.cursor
    changes.push(...page.changes)
    if (page.changes.length === 0) return { changes, cursor }
  }
}

describe('the changes of the own space', () => {
  test('come in order with author and details, and only those behind the cursor', async () => {
    const before = await buildFile(user)
    const cursor = await end(user)
    const folder = await buildFolder(user, 'Papers')
    await user.call(moveFile, { id: before.id, parent_id: folder.id })
    await user.call(trashFile, { id: before.id })
    await user.call(deleteFile, { id: before.id })
    const { changes, reset, cursor: next } = await since(user, cursor)
    expect(reset).toBe(false)
    expect(acts(changes)).toEqual([
      ['folder.create', folder.id],
      ['file.move', before.id],
      ['file.trash', before.id],
      ['file.delete', before.id],
    ])
    expect(changes[0]).toMatchObject({
      space: (await ownerOf(server, user)).spaceId,
      actor: { id: user.id, name: user.username },
      detail: { name: 'Papers', parent_id: null },
    })
    const revisions = changes.map(({ revision }) => revision)
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b))
    expect((await since(user, next)).changes).toEqual([])
  })

  test('are each told once and in the order of the commits, whoever writes and whenever the reader asks', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => signIn(server.url, user.username, user.password)))
    let { cursor } = await user.call(listChanges, {})
    const seen: Change[] = []
    let isWriting = true
    const reading = (async () => {
      while (isWriting) {
        const page = await readAll(user, cursor, 3)
        cursor = page.cursor
        seen.push(...page.changes)
      }
    })()
    const made = await Promise.all(
      clients.flatMap((client, one) =>
        Array.from({ length: 15 }, async (_, n) => (await client.call(createFolder, { name: `${one} ${n}` })).file.id),
      ),
    )
    isWriting = false
    await reading
    seen.push(...(await readAll(user, cursor, 3)).changes)
    expect(seen.map(({ item_id }) => item_id).sort()).toEqual(made.sort())
    const revisions = seen.map(({ revision }) => revision)
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b))
  })

  test('say nothing of what another user does elsewhere', async () => {
    const cursor = await end(user)
    await buildFile(other)
    expect((await since(user, cursor)).changes).toEqual([])
  })
})

describe('the changes of a shared folder', () => {
  test('are told to an editor with author and names, and to a viewer as ids alone', async () => {
    const folder = await buildFolder(user)
    const viewer = await buildUser(server)
    await buildShare(user, folder, other, 'edit')
    await buildShare(user, folder, viewer, 'view')
    const [editors, viewers] = await Promise.all([end(other), end(viewer)])
    const file = await buildFile(user, { name: 'a.txt', parent_id: folder.id })
    await user.call(renameFile, { id: file.id, name: 'b.txt' })
    await buildFile(user, { name: 'secret.txt' })
    const told = (await since(other, editors)).changes
    expect(acts(told)).toEqual([
      ['file.upload', file.id],
      ['file.rename', file.id],
    ])
    expect(told[1]).toMatchObject({ actor: { id: user.id }, detail: { from: 'a.txt', to: 'b.txt' } })
    const bare = (await since(viewer, viewers)).changes
    expect(acts(bare)).toEqual(acts(told))
    for (const { actor, detail } of bare) expect([actor, detail]).toEqual([null, null])
  })

  test('tell what leaves it, and nothing of what something was before it came', async () => {
    const folder = await buildFolder(user)
    const [leaves, trashed, gone] = [
      await buildFile(user, { parent_id: folder.id }),
      await buildFile(user, { parent_id: folder.id }),
      await buildFile(user, { parent_id: folder.id }),
    ]
    const comes = await buildFile(user, { name: 'old name.txt' })
    await buildShare(user, folder, other, 'edit')
    const cursor = await end(other)
    await user.call(moveFile, { id: leaves.id, parent_id: null })
    await user.call(trashFile, { id: trashed.id })
    // Nothing says any more that the others saw it.
    await user.call(trashFile, { id: gone.id })
    await user.call(deleteFile, { id: gone.id })
    await user.call(renameFile, { id: comes.id, name: 'new name.txt' })
    await user.call(moveFile, { id: comes.id, parent_id: folder.id })
    const { changes } = await since(other, cursor)
    expect(acts(changes)).toEqual([
      ['file.move', leaves.id],
      ['file.trash', trashed.id],
      ['file.move', comes.id],
    ])
    expect(JSON.stringify(changes)).not.toContain('old name')
    expect(changes[2]?.detail).toEqual({ from: null, to: folder.id })
  })

  test.each(['upload', 'view'] as const)(
    'of a folder that is shared to %s tell nothing of a file that was handed in or waited, once it is deleted',
    async level => {
      const [folder, uploader] = [await buildFolder(user), await buildUser(server)]
      await buildShare(user, folder, uploader, 'upload')
      await buildShare(user, folder, other, level)
      const admin = await signIn(server.url, server.adminName, server.adminPassword)
      await turnSettings(admin, { validation_enabled: true })
      const [others, owners] = [await end(other), await end(user)]
      const held = await buildFile(uploader, { parent_id: folder.id })
      await turnSettings(admin, { validation_enabled: false })
      await uploader.call(trashFile, { id: held.id })
      const { deps } = server
      await deps.db.touch(() => deps.db.change('DELETE FROM files WHERE id = $1', [held.id]))
      expect((await since(other, others)).changes).toEqual([])
      expect(acts((await since(user, owners)).changes)).toContainEqual(['file.trash', held.id])
    },
  )

  test('leave out a file that waits for approval, but for who put it there', async () => {
    const folder = await buildFolder(user)
    await buildShare(user, folder, other, 'edit')
    const [owners, uploaders] = await Promise.all([end(user), end(other)])
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    await turnSettings(admin, { validation_enabled: true })
    const held = await buildFile(other, { parent_id: folder.id })
    await turnSettings(admin, { validation_enabled: false })
    expect((await since(user, owners)).changes).toEqual([])
    expect(acts((await since(other, uploaders)).changes)).toEqual([['file.upload', held.id]])
  })

  test('begin anew when a share comes or goes', async () => {
    const folder = await buildFolder(user)
    const cursor = await end(other)
    const share = await buildShare(user, folder, other, 'view')
    const come = await since(other, cursor)
    expect([come.changes, come.reset]).toEqual([[], true])
    await buildFile(user, { parent_id: folder.id })
    expect(await since(other, come.cursor)).toMatchObject({ reset: false, changes: [{ action: 'file.upload' }] })
    await user.call(deleteShare, { id: share.id })
    await buildFile(user, { parent_id: folder.id })
    expect(await since(other, come.cursor)).toMatchObject({ reset: true, changes: [] })
  })

  test('can be asked for by their space, and not by who sees nothing in it', async () => {
    const folder = await buildFolder(user)
    const { spaceId } = await ownerOf(server, user)
    expect((await other.raw(`/api/changes?space=${spaceId}`)).status).toBe(404)
    await buildShare(user, folder, other, 'view')
    const cursor = await end(other, spaceId)
    await buildFile(other)
    const file = await buildFile(user, { parent_id: folder.id })
    const { changes } = await other.call(listChanges, { space: spaceId, since: cursor })
    expect(acts(changes)).toEqual([['file.upload', file.id]])
  })

  test('end with a share at its time, though nothing has changed since', async context => {
    onlyOneServer('clock', context)
    const folder = await buildFolder(user)
    const { spaceId } = await ownerOf(server, user)
    const expires_at = new Date(Date.now() + 20_000).toISOString()
    await user.call(createShare, { item_id: folder.id, user_id: other.id, level: 'view', expires_at })
    const cursor = await end(other, spaceId)
    const all = await end(other)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(expires_at) - 1 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await other.call(listChanges, { space: spaceId, since: cursor })).toMatchObject({ reset: false })
    vi.setSystemTime(Date.parse(expires_at))
    expect((await other.raw(`/api/changes?space=${spaceId}`)).status).toBe(404)
    expect(await since(other, all)).toMatchObject({ reset: true })
  })
})

test('a key for one folder learns of that folder alone', async () => {
  const folder = await buildFolder(user)
  const key = await buildKey(server, user, ['files:read'], 'script', { scope_id: folder.id })
  const cursor = await end(key)
  await buildFile(user)
  const inside = await buildFile(user, { parent_id: folder.id })
  expect(acts((await since(key, cursor)).changes)).toEqual([['file.upload', inside.id]])
})

test('a key for a folder follows nothing once the folder is no longer shared, or in the trash', async () => {
  const folder = await buildFolder(user)
  const share = await buildShare(user, folder, other, 'view')
  const key = await buildKey(server, other, ['files:read'], 'script', { scope_id: folder.id })
  const { spaceId } = await ownerOf(server, user)
  const statusOf = async () => (await key.raw(`/api/changes?space=${spaceId}`)).status
  expect(await statusOf()).toBe(200)
  await user.call(trashFile, { id: folder.id })
  expect(await statusOf()).toBe(404)
  await user.call(restoreFile, { id: folder.id })
  expect(await statusOf()).toBe(200)
  await user.call(deleteShare, { id: share.id })
  expect(await statusOf()).toBe(404)
  // The cursor names each space and how often it has changed.
  const cursor = await end(key)
  await buildFile(user)
  const after = await since(key, cursor)
  expect(after).toMatchObject({ changes: [], reset: false })
  expect(Buffer.from(after.cursor, 'base64url').toString()).toMatch(/,""\]\}$/)
})

describe('a cursor', () => {
  test('begins anew where events may have been deleted by age, or a backup was restored', async () => {
    const cursor = await end(user)
    const [list, at, mark, parts] = (() => {
      const { list: name, after } = JSON.parse(Buffer.from(cursor, 'base64url').toString())
      return [name, ...after]
    })()
    const old = { list, after: [at - 366 * day, mark, parts] }
    const aged = Buffer.from(JSON.stringify(old)).toString('base64url')
    expect(await since(user, aged)).toMatchObject({ reset: true, changes: [] })
    await server.deps.db.write(systemActor, async record => record('backup.restore', { id: null }))
    expect(await since(user, cursor)).toMatchObject({ reset: true, changes: [] })
    expect(await since(user, await end(user))).toMatchObject({ reset: false })
  })

  test('of another list, or that no list made, is refused', async () => {
    const { spaceId } = await ownerOf(server, user)
    for (const cursor of [await end(user, spaceId), 'nonsense']) {
      const answer = await user.raw(`/api/changes?since=${cursor}`)
      expect(await failure(answer)).toMatchObject({ status: 400, fields: { since: expect.anything() } })
    }
  })
})
