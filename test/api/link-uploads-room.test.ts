/** The room that visitors' unfinished uploads hold free, and what becomes of those that nobody goes on with. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { maxLinkUploads, maxVisitorUploads } from '../../src/api/limits.ts'
import { deleteLink, updateLink } from '../../src/api/links.ts'
import { deleteSpace } from '../../src/api/spaces.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser } from '../../src/api/users.ts'
import { hour } from '../../src/base/clock.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFile, buildFolder, buildTeam, buildUser } from '../support/factories.ts'
import { runJob } from '../support/jobs.ts'
import { openBrowser, openSender, type Sender } from '../support/link-uploads.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { discard, head, idOf, patch } from '../support/tus.ts'
import { openVisitor } from '../support/visitor.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterEach(async () => expect(await findMiscounts(server.deps.db)).toEqual([]))
afterAll(() => server.close())

const bytes = randomBytes(100_000)
const explicit = { finish: 'explicit' }
const profileOf = (user: TestClient) => user.call(getProfile, {})
const filesIn = async (user: TestClient, { id }: { id: number }) =>
  (await user.call(listFiles, { parent_id: id })).files.map(({ name }) => name)

const keyOf = async (address: string): Promise<string> => {
  const query = 'SELECT blob_key FROM uploads WHERE id = $1'
  return (await server.deps.db.row<{ blob_key: string }>(query, [idOf(address)]))?.blob_key ?? ''
}

/** Says of an upload that its process ended before it became a file. */
const interrupt = (address: string) =>
  server.deps.db.touch(() => server.deps.db.change("UPDATE uploads SET state = 'whole' WHERE id = $1", [idOf(address)]))

/** The statuses of thirty beginnings at once, each from an address of its own unless all come from one. */
async function beginThirty({ link }: Sender, length: number, address?: string): Promise<Record<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => openBrowser(server, link, { address }).ask({ length })),
  )
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe("the quota of the folder's owner", () => {
  test('is held for a whole upload against other visitors until its own discards it, not against the owner', async () => {
    const user = await buildUser(server, { storageQuota: 1_000_000 })
    const sender = await openSender(server, user, await buildFolder(user))
    const address = await sender.begin({ length: 900_000, body: bytes })
    expect((await profileOf(user)).storage_reserved).toBe(0)
    expect(await failure(await sender.ask({ length: 100_001 }))).toMatchObject({ status: 413, error: 'quota_exceeded' })
    await buildFile(user, {}, randomBytes(100_000))
    expect(await failure(await sender.ask({ length: 1 }))).toMatchObject({ status: 413, error: 'quota_exceeded' })
    const key = await keyOf(address)
    expect((await discard(sender.client, address)).status).toBe(204)
    expect((await sender.ask({ length: 900_000 })).status).toBe(201)
    await expect.poll(() => server.deps.store.size(key)).toBeNull()
  })

  test('is never exceeded by thirty visitors who begin at once', async () => {
    const user = await buildUser(server, { storageQuota: 1_000_000 })
    const sender = await openSender(server, user, await buildFolder(user))
    expect(await beginThirty(sender, 70_000)).toEqual({ 201: 14, 413: 16 })
  })
})

describe('the bytes that a link takes', () => {
  test('are never exceeded by thirty visitors who begin at once', async () => {
    const user = await buildUser(server)
    const sender = await openSender(server, user, await buildFolder(user), { max_bytes: 1_000_000 })
    expect(await beginThirty(sender, 70_000)).toEqual({ 201: 14, 413: 16 })
  })

  test('are held for what is unfinished: no other file takes them, and they are there at the end', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user)
    const sender = await openSender(server, user, folder, { max_bytes: 150_000 })
    const address = await sender.begin({ length: bytes.length, body: bytes.subarray(0, 1000) })
    const visitor = openVisitor(server.url, sender.link.token)
    expect(await failure(await visitor.upload(randomBytes(50_001)))).toMatchObject({ error: 'quota_exceeded' })
    expect((await visitor.upload(randomBytes(40_000), { name: 'a.bin' })).status).toBe(201)
    expect((await patch(sender.client, address, 1000, bytes.subarray(1000))).status).toBe(204)
    expect((await visitor.upload(randomBytes(10_000), { name: 'b.bin' })).status).toBe(201)
    expect(await failure(await sender.ask({ length: 1 }))).toMatchObject({ status: 413, error: 'quota_exceeded' })
    expect((await filesIn(user, folder)).length).toBe(3)
  })

  test('that are fewer by the end refuse the file, whose visitor may try again', async () => {
    const user = await buildUser(server)
    const sender = await openSender(server, user, await buildFolder(user))
    const address = await sender.begin({ length: bytes.length, body: bytes, metadata: explicit })
    await user.call(updateLink, { id: sender.link.id, max_bytes: 99_999 })
    expect(await failure(await sender.finish(address))).toMatchObject({ status: 413, error: 'quota_exceeded' })
    expect((await head(sender.client, address)).status).toBe(409)
    await user.call(updateLink, { id: sender.link.id, max_bytes: null })
    expect((await sender.finish(address)).status).toBe(201)
  })
})

describe('unfinished uploads', () => {
  test('are limited for an address, whatever links it uses, also when they begin at once', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user)
    const sender = await openSender(server, user, folder)
    const address = '2001:db8::1'
    expect(await beginThirty(sender, 1, address)).toEqual({ 201: maxVisitorUploads, 409: 30 - maxVisitorUploads })
    const { link } = await openSender(server, user, folder)
    const neighbour = openBrowser(server, link, { address: '2001:db8::2' })
    expect(await failure(await neighbour.ask({ length: 1 }))).toMatchObject({ status: 409, error: 'in_use' })
    expect((await openBrowser(server, link).ask({ length: 1 })).status).toBe(201)
  })

  test('are limited for a link, whatever addresses they come from', async () => {
    const user = await buildUser(server)
    const sender = await openSender(server, user, await buildFolder(user))
    for (let begun = 0; begun < maxLinkUploads; begun += 10) {
      await Promise.all(Array.from({ length: 10 }, () => openBrowser(server, sender.link).begin({ length: 1 })))
    }
    expect(await failure(await sender.ask({ length: 1 }))).toMatchObject({ status: 409, error: 'in_use' })
    const other = await openSender(server, user, await buildFolder(user))
    expect((await other.ask({ length: 1 })).status).toBe(201)
  })
})

describe('an upload gives back what it holds free', () => {
  const isHeld = async (key: string): Promise<boolean> =>
    (await server.deps.db.row('SELECT id FROM uploads WHERE blob_key = $1', [key])) !== undefined
  const begin = async (user: BuiltUser, folder: { id: number }) => {
    const sender = await openSender(server, user, folder)
    const address = await sender.begin({ length: 300_000, body: bytes })
    return { ...sender, address, key: await keyOf(address) }
  }

  test('when its link is ended', async () => {
    const user = await buildUser(server)
    const { link, key } = await begin(user, await buildFolder(user))
    await user.call(deleteLink, { id: link.id })
    expect(await isHeld(key)).toBe(false)
    await server.deps.removals.settled()
    await expect.poll(() => server.deps.store.size(key)).toBeNull()
  })

  test('when the folder of its link is deleted for good', async () => {
    const user = await buildUser(server)
    const above = await buildFolder(user)
    const { key } = await begin(user, await buildFolder(user, 'inner', above.id))
    await user.call(trashFile, { id: above.id })
    expect(await isHeld(key)).toBe(true)
    await user.call(deleteFile, { id: above.id })
    expect(await isHeld(key)).toBe(false)
    await server.deps.removals.settled()
    await expect.poll(() => server.deps.store.size(key)).toBeNull()
  })

  test('when the team folder of its link is deleted', async () => {
    const manager = await buildUser(server)
    const team = await buildTeam(admin, manager)
    const { key } = await begin(manager, await buildFolder(manager, 'inbox', team.folder_id))
    await admin.call(deleteSpace, { id: team.id, files: 'delete' })
    await server.deps.removals.settled()
    await expect.poll(() => server.deps.store.size(key)).toBeNull()
    expect(await isHeld(key)).toBe(false)
  })

  test.each(['delete', 'transfer'] as const)('when the owner is deleted, and the files: %s', async files => {
    const [owner, receiver] = [await buildUser(server), await buildUser(server)]
    const { key } = await begin(owner, await buildFolder(owner))
    await admin.call(deleteUser, { id: owner.id, files, ...(files === 'transfer' ? { to: receiver.id } : {}) })
    await server.deps.removals.settled()
    await expect.poll(() => server.deps.store.size(key)).toBeNull()
    expect(await isHeld(key)).toBe(false)
  })

  test('the sooner, the less of it has arrived', async () => {
    const user = await buildUser(server)
    const sender = await openSender(server, user, await buildFolder(user))
    const address = await sender.begin({ length: bytes.length })
    const hours = async () => {
      const expiry = (await head(sender.client, address)).headers.get('upload-expires')
      return Math.round((Date.parse(expiry ?? '') - Date.now()) / hour)
    }
    expect(await hours()).toBe(1)
    await patch(sender.client, address, 0, bytes.subarray(0, 1))
    expect(await hours()).toBe(1)
    await patch(sender.client, address, 1, bytes.subarray(1, bytes.length / 2))
    expect(await hours()).toBe(37)
    await patch(sender.client, address, bytes.length / 2, bytes.subarray(bytes.length / 2, -1))
    expect(await hours()).toBe(72)
  })

  test('when its time is over, also while its link does not work', async () => {
    const user = await buildUser(server)
    const { client, link, address, key } = await begin(user, await buildFolder(user))
    await user.call(updateLink, { id: link.id, is_active: false })
    const { db } = server.deps
    await db.touch(() => db.change('UPDATE uploads SET expires_at = $1 WHERE id = $2', [Date.now(), idOf(address)]))
    await runJob(server.deps, 'uploads')
    expect(await isHeld(key)).toBe(false)
    await expect.poll(() => server.deps.store.size(key)).toBeNull()
    await user.call(updateLink, { id: link.id, is_active: true })
    expect((await head(client, address)).status).toBe(404)
  })
})

describe('an upload that a crash kept from becoming a file', () => {
  test('becomes one all the same, as of the visitor of its link', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user)
    const sender = await openSender(server, user, folder, { ask_name: true })
    const metadata = { ...explicit, name: 'a.bin', sender: 'Ann' }
    const address = await sender.begin({ length: bytes.length, body: bytes, metadata })
    await interrupt(address)
    await runJob(server.deps, 'interrupted uploads')
    expect(await filesIn(user, folder)).toEqual(['Ann - a.bin'])
    expect((await (await sender.finish(address)).json()).data).toEqual({ name: 'a.bin', size: bytes.length })
    const { link } = await user.call(updateLink, { id: sender.link.id, label: 'counted' })
    expect([link.uploads, link.bytes_in]).toEqual([1, bytes.length])
  })

  test.each([
    ['is paused', (user: BuiltUser, id: number) => user.call(updateLink, { id, is_active: false })],
    ['only shows files', (user: BuiltUser, id: number) => user.call(updateLink, { id, level: 'view' })],
    ['has been used up', (_user: BuiltUser, id: number) => useUp(id)],
  ])('fails where its link %s, and can be finished once the link takes files again', async (_how, stop) => {
    const user = await buildUser(server)
    const folder = await buildFolder(user)
    const sender = await openSender(server, user, folder, { level: 'both', max_downloads: 1 })
    const address = await sender.begin({ length: bytes.length, body: bytes, metadata: explicit })
    await interrupt(address)
    await stop(user, sender.link.id)
    await runJob(server.deps, 'interrupted uploads')
    expect(await filesIn(user, folder)).toEqual([])
    await user.call(updateLink, { id: sender.link.id, is_active: true, level: 'both', max_downloads: 2 })
    expect((await head(sender.client, address)).status).toBe(409)
    expect((await sender.finish(address)).status).toBe(201)
  })
})

const useUp = (id: number) =>
  server.deps.db.touch(() => server.deps.db.change('UPDATE links SET downloads = 1 WHERE id = $1', [id]))
