/** What a link's visitors have only announced: it is in nobody's way, neither the owner's nor other visitors'. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { copyFile, moveFile } from '../../src/api/files.ts'
import { maxVisitorUploads } from '../../src/api/limits.ts'
import { updateLink } from '../../src/api/links.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser } from '../../src/api/users.ts'
import { minute } from '../../src/base/clock.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildTeam, buildUser } from '../support/factories.ts'
import { openBrowser, openSender, type Sender } from '../support/link-uploads.ts'
import { fileStart, multipartType } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { askUpload, beginUpload, bytesType, discard, head, idOf, patch, version } from '../support/tus.ts'
import { openVisitor } from '../support/visitor.ts'
import { openForTest, requestHead, sendWire } from '../support/wire.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterEach(async () => expect(await findMiscounts(server.deps.db)).toEqual([]))
afterAll(() => server.close())

const onSqlite = process.env.FILESTORE_TEST_DATABASE === undefined
const mb = 1_000_000
const bytes = randomBytes(100_000)
const full = { status: 413, error: 'quota_exceeded' }
const refusals = {
  link: { ...full, message: 'This link takes no more files of this size' },
  quota: { ...full, message: 'Storage quota exceeded' },
}
const refusalOf = async (answer: Promise<Response>) => {
  const response = await answer
  return { status: response.status, ...(await response.json()) }
}
const profileOf = (user: TestClient) => user.call(getProfile, {})
const change = (sql: string, values: readonly (string | number)[]) =>
  server.deps.db.touch(() => server.deps.db.change(sql, values))

/** Lets an upload be so many minutes older. */
const age = (address: string, minutes: number) =>
  change('UPDATE uploads SET created_at = created_at - $1 WHERE id = $2', [minutes * minute, idOf(address)])
/** Says of an upload that so much of it has come, or that it is being sent, without any bytes. */
const set = (address: string, columns: string) => change(`UPDATE uploads SET ${columns} WHERE id = $1`, [idOf(address)])

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

test('what visitors send by several links counts together to the quota', async () => {
  const { user, sender, held } = await holdAllOf('quota', 600_000)
  await patch(sender.client, held, 0, bytes)
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

describe.each(['link', 'quota'] as const)('all bytes of the %s, announced from one network', what => {
  test('go to a newcomer of another one at once, and not back however often they are announced anew', async () => {
    const { sender, held } = await holdAllOf(what)
    await discard(sender.client, held)
    const again = await sender.begin({ length: mb })
    const newcomer = openBrowser(server, sender.link)
    const address = await newcomer.begin({ length: bytes.length })
    expect(await isThere(sender, again)).toBe(false)
    expect(await refusalOf(sender.ask({ length: mb }))).toMatchObject(refusals[what])
    expect((await patch(newcomer.client, address, 0, bytes)).status).toBe(204)
  })

  test('go to a form of another one, of any size', async () => {
    const { user, sender, held } = await holdAllOf(what)
    expect((await sendForm(sender, bytes, 'large.bin')).status).toBe(201)
    expect(await isThere(sender, held)).toBe(false)
    const again = await sender.begin({ length: mb - bytes.length })
    expect((await sendForm(sender, Buffer.from('x'), 'small.bin')).status).toBe(201)
    expect(await isThere(sender, again)).toBe(false)
    expect((await profileOf(user)).storage_used).toBe(bytes.length + 1)
  })

  test('stay while they have paused for less than an hour, and the refusal says what is full', async () => {
    const { sender, held } = await holdAllOf(what)
    expect((await patch(sender.client, held, 0, bytes)).status).toBe(204)
    await age(held, 59)
    const newcomer = openBrowser(server, sender.link)
    expect(await refusalOf(newcomer.ask({ length: 1 }))).toMatchObject(refusals[what])
    expect(await refusalOf(sendForm(sender, bytes))).toMatchObject(refusals[what])
    await age(held, 2)
    expect(await refusalOf(sender.ask({ length: 1 }))).toMatchObject(refusals[what])
    expect(await isThere(sender, held)).toBe(true)
    expect((await newcomer.ask({ length: 1 })).status).toBe(201)
    expect(await isThere(sender, held)).toBe(false)
  })

  test('stay however long they pause where they came fast enough, for their size too', async () => {
    const { sender, held } = await holdAllOf(what)
    await set(held, 'received = 60000000, length = 100000000')
    await age(held, 60)
    const newcomer = openBrowser(server, sender.link)
    expect(await refusalOf(newcomer.ask({ length: 1 }))).toMatchObject(refusals[what])
    await set(held, 'length = 10000000000')
    expect((await newcomer.ask({ length: 1 })).status).toBe(201)
    expect(await isThere(sender, held)).toBe(false)
  })

  test('stay for ten minutes of slow bytes', async () => {
    const { sender, held } = await holdAllOf(what)
    const socket = await openForTest(server.url)
    const checksum = `sha1 ${randomBytes(20).toString('base64')}`
    const headers = { ...version, ...bytesType, 'upload-offset': '0', 'upload-checksum': checksum }
    const own = { ...sender.client.headers, 'content-length': String(mb) }
    socket.write(requestHead(server.url, 'PATCH', held, { ...headers, ...own }))
    socket.write(bytes)
    const isSent = async () => {
      const sql = 'SELECT held_until FROM uploads WHERE id = $1'
      return ((await server.deps.db.row<{ held_until: number }>(sql, [idOf(held)]))?.held_until ?? 0) > Date.now()
    }
    await expect.poll(isSent).toBe(true)
    const newcomer = openBrowser(server, sender.link)
    await age(held, 9)
    expect(await refusalOf(newcomer.ask({ length: 1 }))).toMatchObject(refusals[what])
    await age(held, 2)
    const address = await newcomer.begin({ length: 1 })
    await discard(newcomer.client, address)
    const other = await sender.begin({ length: mb })
    await set(other, 'held_until = 4000000000000')
    expect(await refusalOf(newcomer.ask({ length: 1 }))).toMatchObject(refusals[what])
    await set(other, 'held_until = 0')
    expect((await newcomer.ask({ length: 1 })).status).toBe(201)
  })

  test('are taken from as few uploads as needed, from none in vain', async () => {
    const { sender, held } = await holdAllOf(what, 500_000)
    const [more, paused] = [await sender.begin({ length: 300_000 }), await sender.begin({ length: 200_000 })]
    await patch(sender.client, paused, 0, bytes)
    const newcomer = openBrowser(server, sender.link)
    expect(await refusalOf(newcomer.ask({ length: 800_001 }))).toMatchObject(refusals[what])
    const left = () => Promise.all([held, more, paused].map(address => isThere(sender, address)))
    expect(await left()).toEqual([true, true, true])
    await newcomer.begin({ length: 400_000, body: randomBytes(400_000) })
    expect(await left()).toEqual([false, true, true])
    await newcomer.begin({ length: 200_000 })
    expect(await left()).toEqual([false, false, true])
  })

  test('go only to a network that would not hold more than they do', async () => {
    const { sender, held } = await holdAllOf(what, 300_000)
    const newcomer = openBrowser(server, sender.link)
    expect(await refusalOf(newcomer.ask({ length: 800_000 }))).toMatchObject(refusals[what])
    await newcomer.begin({ length: 600_000 })
    expect(await refusalOf(newcomer.ask({ length: 200_000 }))).toMatchObject(refusals[what])
    expect(await isThere(sender, held)).toBe(true)
    expect((await openBrowser(server, sender.link).ask({ length: 200_000 })).status).toBe(201)
    expect(await isThere(sender, held)).toBe(true)
  })

  test('end a large form at its first byte where they give no way', async () => {
    const { sender, held } = await holdAllOf(what)
    await patch(sender.client, held, 0, bytes)
    async function* begin() {
      yield Buffer.concat([fileStart('large.bin'), bytes])
      await new Promise(() => undefined)
    }
    const headers = { origin: server.url, 'x-forwarded-for': '203.0.114.1', 'content-type': multipartType }
    const refused = await sendWire(server.url, {
      method: 'POST',
      path: `/api/s/${sender.link.token}/upload`,
      headers: { ...headers, 'content-length': '1600000' },
      body: begin(),
    })
    expect({ status: refused.status, ...JSON.parse(refused.text) }).toMatchObject(refusals[what])
  })
})

test('uploads by other links of the owner give way too, ten at once at most', async () => {
  const user = await buildUser(server, { storageQuota: mb })
  const sender = await openSender(server, user, await buildFolder(user))
  for (let begun = 0; begun < maxVisitorUploads; begun++) await sender.begin({ length: 50_000 })
  const other = await openSender(server, user, await buildFolder(user))
  expect(await refusalOf(other.ask({ length: 500_001 }))).toMatchObject(refusals.quota)
  await other.begin({ length: 500_000 })
  const rows = await server.deps.db.rows('SELECT id FROM uploads WHERE link_id = $1', [sender.link.id])
  expect(rows).toHaveLength(maxVisitorUploads - 10)
})

test('an upload that waits with all its bytes to be finished gives way to none', async () => {
  const { sender, held } = await holdAllOf('quota', bytes.length)
  const address = await sender.begin({ length: mb - bytes.length, metadata: { finish: 'explicit' } })
  expect((await patch(sender.client, address, 0, randomBytes(mb - bytes.length))).status).toBe(204)
  await set(held, 'received = 1')
  await age(address, 24 * 60)
  expect(await refusalOf(openBrowser(server, sender.link).ask({ length: 1 }))).toMatchObject(refusals.quota)
  expect((await sender.finish(address)).status).toBe(201)
})

test.skipIf(onSqlite)('an upload of which bytes come meanwhile stays, and another one gives way', async () => {
  const { db } = server.deps
  const { sender, held } = await holdAllOf('link', 600_000)
  const other = await sender.begin({ length: 400_000 })
  const isWaiting = async () => {
    const sql = `SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID()
      AND INFO LIKE '%FROM uploads WHERE id = %FOR UPDATE%'`
    return (await db.rows(sql)).length > 0
  }
  const asked = await db.touch(async () => {
    await db.change('UPDATE uploads SET received = 1 WHERE id = $1', [idOf(held)])
    const answer = openBrowser(server, sender.link).ask({ length: 300_000 })
    await expect.poll(isWaiting).toBe(true)
    return { answer }
  })
  expect((await asked.answer).status).toBe(201)
  expect([await isThere(sender, held), await isThere(sender, other)]).toEqual([true, false])
})

test('an upload that has all its bytes gives way to none', async () => {
  const { user, sender, held } = await holdAllOf('link', bytes.length)
  await patch(sender.client, held, 0, bytes.subarray(1))
  await change("UPDATE uploads SET state = 'whole', received = length WHERE id = $1", [idOf(held)])
  await age(held, 24 * 60)
  await user.call(updateLink, { id: sender.link.id, max_bytes: bytes.length })
  expect(await failure(await openBrowser(server, sender.link).ask({ length: 1 }))).toMatchObject(full)
  await change('DELETE FROM uploads WHERE id = $1', [idOf(held)])
})
