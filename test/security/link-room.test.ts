/** What a link's visitors have only announced: it is in nobody's way, neither the owner's nor other visitors'. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { copyFile, moveFile } from '../../src/api/files.ts'
import { maxVisitorUploads } from '../../src/api/limits.ts'
import { updateLink } from '../../src/api/links.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser } from '../../src/api/users.ts'
import { second } from '../../src/base/clock.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildTeam, buildUser } from '../support/factories.ts'
import { openBrowser, openSender, type Sender } from '../support/link-uploads.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { askUpload, beginUpload, head, idOf, patch } from '../support/tus.ts'
import { openVisitor } from '../support/visitor.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterEach(async () => expect(await findMiscounts(server.deps.db)).toEqual([]))
afterAll(() => server.close())

const mb = 1_000_000
const bytes = randomBytes(100_000)
const full = { status: 413, error: 'quota_exceeded' }
const profileOf = (user: TestClient) => user.call(getProfile, {})
const change = (sql: string, values: readonly (string | number)[]) =>
  server.deps.db.touch(() => server.deps.db.change(sql, values))

/** Lets an upload be so many seconds older. */
const age = (address: string, seconds: number) =>
  change('UPDATE uploads SET created_at = created_at - $1 WHERE id = $2', [seconds * second, idOf(address)])

const isThere = async ({ client }: Sender, address: string) => (await head(client, address)).status === 200

/** A visitor's file in one request, from an address of its own. */
let forms = 0
const sendForm = ({ link }: Sender, body: Buffer, name = 'form.bin') => {
  forms += 1
  const from = { 'x-forwarded-for': `203.0.113.${forms}` }
  return openVisitor(server.url, link.token).upload(body, { name }, from)
}

/** A folder of which a visitor holds all but the given bytes, of the link or of the owner's quota. */
async function holdAllOf(
  what: 'link' | 'quota',
  length = mb,
): Promise<{ user: BuiltUser; held: string; sender: Sender }> {
  const user = await buildUser(server, what === 'quota' ? { storageQuota: mb } : {})
  const sender = await openSender(server, user, await buildFolder(user), what === 'link' ? { max_bytes: mb } : {})
  return { user, sender, held: await sender.begin({ length }) }
}

describe('the owner of a folder whose whole quota a visitor has announced', () => {
  test('uploads, copies, moves and restores as before, as does a key', async () => {
    const { user, held, sender } = await holdAllOf('quota')
    const file = await buildFile(user, {}, bytes)
    const team = await buildTeam(admin, user)
    await user.call(copyFile, { id: file.id, parent_id: null, name: 'copy.bin' })
    await beginUpload(user, { length: bytes.length, body: bytes, metadata: { name: 'pieces.bin' } })
    const inTeam = await buildFile(user, { parent_id: team.folder_id }, randomBytes(50_000))
    await user.call(moveFile, { id: inTeam.id, parent_id: null })
    await user.call(trashFile, { id: file.id })
    await user.call(restoreFile, { id: file.id })
    const key = await buildKey(server, user, ['files:read', 'files:upload'])
    await buildFile(key, {}, randomBytes(50_000))
    expect((await askUpload(key, { length: 600_000 })).status).toBe(201)
    expect(await profileOf(user)).toMatchObject({ storage_used: 400_000, storage_reserved: 600_000 })
    expect(await isThere(sender, held)).toBe(true)
  })

  test('receives the files of a deleted account', async () => {
    const { user } = await holdAllOf('quota')
    const leaver = await buildUser(server)
    await buildFile(leaver, {}, bytes)
    await admin.call(deleteUser, { id: leaver.id, files: 'transfer', to: user.id })
    expect((await profileOf(user)).storage_used).toBe(bytes.length)
  })

  test('has used it up by the end of the upload: the visitor is refused, and no bytes are left', async () => {
    const { user, sender } = await holdAllOf('quota', 10)
    const address = await sender.begin({ length: bytes.length, body: bytes.subarray(1) })
    const row = await server.deps.db.row<{ blob_key: string }>('SELECT blob_key FROM uploads WHERE id = $1', [
      idOf(address),
    ])
    await buildFile(user, {}, randomBytes(mb - bytes.length + 1))
    const refused = await patch(sender.client, address, bytes.length - 1, bytes.subarray(0, 1))
    expect(refused.status).toBe(413)
    expect(await refused.json()).toMatchObject({ error: full.error, message: 'Storage quota exceeded' })
    expect((await head(sender.client, address)).status).toBe(404)
    expect(await server.deps.store.size(row?.blob_key ?? '')).toBeNull()
    expect(await profileOf(user)).toMatchObject({ storage_used: mb - bytes.length + 1, storage_reserved: 0 })
  })
})

test('what visitors have announced by several links counts together to the quota', async () => {
  const { user } = await holdAllOf('quota', 600_000)
  const other = await openSender(server, user, await buildFolder(user))
  expect(await failure(await other.ask({ length: 400_001 }))).toMatchObject(full)
  expect((await other.ask({ length: 400_000 })).status).toBe(201)
})

test('an upload that an earlier version began gives back the room that it reserved', async () => {
  const { user, held, sender } = await holdAllOf('quota', bytes.length)
  const spaceOf = '(SELECT space_id FROM uploads WHERE id = $1)'
  await change('UPDATE uploads SET reserved = length WHERE id = $1', [idOf(held)])
  await change(`UPDATE spaces SET storage_reserved = ${bytes.length} WHERE id = ${spaceOf}`, [idOf(held)])
  expect(await failure(await sender.ask({ length: mb - bytes.length + 1 }))).toMatchObject(full)
  expect((await sender.ask({ length: mb - bytes.length })).status).toBe(201)
  expect((await patch(sender.client, held, 0, bytes)).status).toBe(204)
  expect(await profileOf(user)).toMatchObject({ storage_used: bytes.length, storage_reserved: 0 })
})

describe.each(['link', 'quota'] as const)('all bytes of the %s, held by uploads of one network', what => {
  test('go to a newcomer of another one whose upload begins, once those are slow', async () => {
    const { sender, held } = await holdAllOf(what)
    const newcomer = openBrowser(server, sender.link)
    await age(held, 5)
    expect(await failure(await newcomer.ask({ length: bytes.length }))).toMatchObject(full)
    await age(held, 10)
    const address = await newcomer.begin({ length: bytes.length })
    expect(await isThere(sender, held)).toBe(false)
    expect((await patch(newcomer.client, address, 0, bytes)).status).toBe(204)
  })

  test('go to a form of another one, of any size', async () => {
    const { user, sender, held } = await holdAllOf(what)
    expect(await failure(await sendForm(sender, bytes))).toMatchObject(full)
    await age(held, 11)
    expect((await sendForm(sender, bytes, 'large.bin')).status).toBe(201)
    expect(await isThere(sender, held)).toBe(false)
    const again = await sender.begin({ length: mb - bytes.length })
    await age(again, 11)
    expect((await sendForm(sender, Buffer.from('x'), 'small.bin')).status).toBe(201)
    expect(await isThere(sender, again)).toBe(false)
    expect((await profileOf(user)).storage_used).toBe(bytes.length + 1)
  })

  test('stay with that network while it sends fast enough, and when it asks for more', async () => {
    const { sender, held } = await holdAllOf(what)
    expect((await patch(sender.client, held, 0, randomBytes(900_000))).status).toBe(204)
    await age(held, 11)
    expect(await failure(await openBrowser(server, sender.link).ask({ length: 1 }))).toMatchObject(full)
    expect(await failure(await sendForm(sender, bytes))).toMatchObject(full)
    await age(held, 60)
    expect(await failure(await sender.ask({ length: 1 }))).toMatchObject(full)
    expect(await isThere(sender, held)).toBe(true)
    expect((await openBrowser(server, sender.link).ask({ length: 1 })).status).toBe(201)
    expect(await isThere(sender, held)).toBe(false)
  })

  test('are taken from as few uploads as needed, from none in vain', async () => {
    const { sender, held } = await holdAllOf(what, 500_000)
    const [more, young] = [await sender.begin({ length: 300_000 }), await sender.begin({ length: 200_000 })]
    for (const address of [held, more]) await age(address, 60)
    await age(young, -3600)
    const newcomer = openBrowser(server, sender.link)
    expect(await failure(await newcomer.ask({ length: 800_001 }))).toMatchObject(full)
    const left = () => Promise.all([held, more, young].map(address => isThere(sender, address)))
    expect(await left()).toEqual([true, true, true])
    await newcomer.begin({ length: 400_000 })
    expect(await left()).toEqual([false, true, true])
    await newcomer.begin({ length: 300_000 })
    expect(await left()).toEqual([false, false, true])
  })
})

test('a long upload gives way that would take more than a day', async () => {
  const { sender, held } = await holdAllOf('link')
  expect((await patch(sender.client, held, 0, randomBytes(900_000))).status).toBe(204)
  await age(held, 11)
  const newcomer = openBrowser(server, sender.link)
  expect(await failure(await newcomer.ask({ length: 1 }))).toMatchObject(full)
  await change('UPDATE uploads SET length = 10000000000 WHERE id = $1', [idOf(held)])
  expect((await newcomer.ask({ length: 1 })).status).toBe(201)
  expect(await isThere(sender, held)).toBe(false)
})

test('uploads by other links of the owner give way too, ten at once at most', async () => {
  const user = await buildUser(server, { storageQuota: mb })
  const sender = await openSender(server, user, await buildFolder(user))
  for (let begun = 0; begun < maxVisitorUploads; begun++) await age(await sender.begin({ length: 50_000 }), 11)
  const other = await openSender(server, user, await buildFolder(user))
  expect(await failure(await other.ask({ length: 500_001 }))).toMatchObject(full)
  await other.begin({ length: 500_000 })
  const rows = await server.deps.db.rows('SELECT id FROM uploads WHERE link_id = $1', [sender.link.id])
  expect(rows).toHaveLength(maxVisitorUploads - 10)
})

test('an upload that has all its bytes gives way to none', async () => {
  const { user, sender, held } = await holdAllOf('link', bytes.length)
  await patch(sender.client, held, 0, bytes.subarray(1))
  await change("UPDATE uploads SET state = 'whole', received = length WHERE id = $1", [idOf(held)])
  await age(held, 3600)
  await user.call(updateLink, { id: sender.link.id, max_bytes: bytes.length })
  expect(await failure(await openBrowser(server, sender.link).ask({ length: 1 }))).toMatchObject(full)
  await change('DELETE FROM uploads WHERE id = $1', [idOf(held)])
})
