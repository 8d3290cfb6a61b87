/** Files that a link's visitors send in several requests: as in one, and further after a broken line. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { listLinkEvents, updateLink } from '../../src/api/links.ts'
import { deleteField } from '../../src/api/metadata.ts'
import { updateSharingSettings } from '../../src/api/shares.ts'
import { failure, openClient, signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { openBrowser, openSender, plantLink, type Sender } from '../support/link-uploads.ts'
import { plantFolders } from '../support/planted.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { askUpload, bytesType, discard, head, offsetOf, patch, version } from '../support/tus.ts'
import { openVisitor } from '../support/visitor.ts'

let server: TestServer
let admin: TestClient
let user: BuiltUser
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1', maxFileSize: '4MB' })
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  user = await buildUser(server)
})
afterEach(async () => expect(await findMiscounts(server.deps.db)).toEqual([]))
afterAll(() => server.close())

const bytes = randomBytes(100_000)
const explicit = { finish: 'explicit' }

const filesIn = async ({ id }: { id: number }) => (await user.call(listFiles, { parent_id: id })).files
const countsOf = async ({ link }: Sender) => {
  const { uploads, bytes_in } = (await user.call(updateLink, { id: link.id, label: 'counted' })).link
  return { uploads, bytes_in }
}
const dataOf = async (response: Response) => [response.status, (await response.json()).data]

describe('a file in several requests', () => {
  test('goes on after a broken line, and is stored, counted and recorded as one that came in one request', async () => {
    const folder = await buildFolder(user)
    const sender = await openSender(server, user, folder, { ask_name: true })
    const metadata = { name: 'film.bin', sender: 'Anna Meier', modified_at: '2024-05-06T07:08:09.000Z', ...explicit }
    const address = await sender.begin({ length: bytes.length, metadata, body: bytes.subarray(0, 40_000) })
    expect(address).toBe(`${sender.to}/${address.split('/').at(-1)}`)
    const known = await head(sender.client, address)
    expect([known.status, offsetOf(known), known.headers.get('upload-length')]).toEqual([200, '40000', '100000'])
    expect(known.headers.get('tus-resumable')).toBe('1.0.0')
    const rest = await patch(sender.client, address, 40_000, bytes.subarray(40_000))
    expect([rest.status, offsetOf(rest)]).toEqual([204, '100000'])
    expect(await filesIn(folder)).toEqual([])
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const sent = { name: 'film.bin', size: bytes.length }
    expect(await dataOf(await sender.finish(address, { sha256 }))).toEqual([201, sent])
    expect(await dataOf(await sender.finish(address))).toEqual([200, sent])
    const [file] = await filesIn(folder)
    expect(file).toMatchObject({ name: 'Anna Meier - film.bin', modified_at: '2024-05-06T07:08:09.000Z' })
    const stored = await user.raw(`/api/files/${file?.id}/download`)
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true)
    expect(await countsOf(sender)).toEqual({ uploads: 1, bytes_in: bytes.length })
    const { events } = await user.call(listLinkEvents, { id: sender.link.id })
    expect(events.filter(({ action }) => action === 'file.upload')).toMatchObject([
      { detail: { name: 'Anna Meier - film.bin', size: bytes.length } },
    ])
  })

  test('becomes a file with its last byte, and tells the visitor neither its place nor its name', async () => {
    const folder = await buildFolder(user)
    await buildFile(user, { parent_id: folder.id, name: 'plan.bin' }, 'of another')
    const sender = await openSender(server, user, folder)
    const address = await sender.begin({ length: bytes.length, metadata: { name: 'plan.bin' } })
    const last = await patch(sender.client, address, 0, bytes)
    const known = await head(sender.client, address)
    for (const answer of [last, known]) {
      expect([answer.status, answer.headers.get('content-location')]).toEqual([answer === last ? 204 : 200, null])
      expect(offsetOf(answer)).toBe(String(bytes.length))
    }
    expect((await filesIn(folder)).map(({ name }) => name)).toEqual(['plan (1).bin', 'plan.bin'])
    expect(await dataOf(await sender.finish(address))).toEqual([200, { name: 'plan.bin', size: bytes.length }])
  })

  test('that has come before by the same link is stored and counted once', async () => {
    const folder = await buildFolder(user)
    const sender = await openSender(server, user, folder)
    const metadata = { name: 'plan.bin' }
    await openVisitor(server.url, sender.link.token).upload(bytes, metadata)
    for (const more of [{}, explicit]) {
      const address = await sender.begin({ length: bytes.length, metadata: { ...metadata, ...more }, body: bytes })
      expect(await dataOf(await sender.finish(address))).toMatchObject([
        more === explicit ? 201 : 200,
        { size: 100_000 },
      ])
      expect((await head(sender.client, address)).status).toBe(200)
    }
    expect((await filesIn(folder)).map(({ name }) => name)).toEqual(['plan.bin'])
    expect(await countsOf(sender)).toEqual({ uploads: 1, bytes_in: bytes.length })
  })

  test.each([0, 5])('of %i bytes can come with its beginning', async length => {
    const folder = await buildFolder(user)
    const sender = await openSender(server, user, folder)
    await sender.begin({ length, metadata: { name: 'small.txt' }, body: bytes.subarray(0, length) })
    expect((await filesIn(folder)).map(({ size }) => size)).toEqual([length])
  })

  test('is dropped by DELETE, and its visitor has no list', async () => {
    const sender = await openSender(server, user, await buildFolder(user))
    const address = await sender.begin({ length: bytes.length, body: bytes.subarray(0, 1000) })
    expect((await sender.client.raw(sender.to)).status).toBe(405)
    expect((await discard(sender.client, address)).status).toBe(204)
    expect((await head(sender.client, address)).status).toBe(404)
  })

  test('of other bytes than its SHA-256 tells is not kept', async () => {
    const folder = await buildFolder(user)
    const sender = await openSender(server, user, folder)
    const address = await sender.begin({ length: bytes.length, metadata: explicit, body: bytes })
    expect(await failure(await sender.finish(address, { sha256: '0'.repeat(64) }))).toMatchObject({ status: 460 })
    expect((await head(sender.client, address)).status).toBe(404)
    expect(await filesIn(folder)).toEqual([])
  })
})

describe('a beginning', () => {
  test('says what it does not speak', async () => {
    const sender = await openSender(server, user, await buildFolder(user))
    const refused = await sender.ask({ length: 1, headers: { 'tus-resumable': '0.2.2' } })
    expect([refused.status, refused.headers.get('tus-version')]).toEqual([412, '1.0.0'])
    const elsewhere = await sender.client.raw(sender.to, { method: 'POST', headers: version, body: 'text' })
    expect(elsewhere.status).toBe(400)
    const address = await sender.begin({ length: 5 })
    const untyped = await patch(sender.client, address, 0, Buffer.from('bytes'), { 'content-type': 'text/plain' })
    expect([untyped.status, bytesType['content-type']]).toEqual([415, 'application/offset+octet-stream'])
  })

  test('is refused without the name of the sender, and with one that nobody asked for', async () => {
    const folder = await buildFolder(user)
    const asked = await openSender(server, user, folder, { ask_name: true })
    const unasked = await openSender(server, user, folder)
    const fields = { sender: expect.any(String) }
    expect(await failure(await asked.ask({ length: 1 }))).toMatchObject({ status: 400, fields })
    expect(await failure(await unasked.ask({ length: 1, metadata: { sender: 'Ann' } }))).toMatchObject({
      ...{ status: 400, fields },
    })
  })

  test('is refused without required metadata, and the values are stored', async () => {
    const folder = await buildFolder(user)
    const sender = await openSender(server, user, folder)
    await turnSettings(admin, { metadata_enabled: true, metadata_required_on_upload: true })
    const field = await buildField(admin, { is_required: true })
    try {
      expect((await sender.ask({ length: 1 })).status).toBe(400)
      const metadata = { metadata: JSON.stringify([{ field_id: field.id, value: 'red' }]) }
      await sender.begin({ length: bytes.length, metadata, body: bytes })
      const rows = await server.deps.db.rows('SELECT value FROM file_metadata WHERE field_id = $1', [field.id])
      expect(rows).toEqual([{ value: 'red' }])
    } finally {
      await admin.call(deleteField, { id: field.id })
      await turnSettings(admin, { metadata_enabled: false, metadata_required_on_upload: false })
    }
  })

  test('is refused for a file that is too large', async () => {
    const sender = await openSender(server, user, await buildFolder(user))
    expect(await failure(await sender.ask({ length: 5_000_000 }))).toMatchObject({
      status: 413,
      error: 'file_too_large',
    })
  })

  test('is refused below the minimum of free space', async () => {
    const full = await startServer({ minFreeSpace: '1000000GB' })
    onTestFinished(() => full.close())
    const maker = await buildUser(full)
    const token = await plantLink(full, maker, await plantFolders(full, maker, 'in', 1))
    const refused = await askUpload(openClient(full.url), { to: `/api/s/${token}/uploads`, length: 1 })
    expect(await failure(refused)).toMatchObject({ status: 507, error: 'storage_full' })
  })

  test('is refused where the link only shows files, and where it takes none any more', async () => {
    const folder = await buildFolder(user)
    const viewing = await openSender(server, user, folder, { level: 'view' })
    expect((await viewing.ask({ length: 1 })).status).toBe(403)
    const both = await openSender(server, user, folder, { level: 'both' })
    const address = await both.begin({ length: 5 })
    await admin.call(updateSharingSettings, { link_uploads: false })
    try {
      for (const answer of [await both.ask({ length: 1 }), await head(both.client, address)]) {
        expect(answer.status).toBe(403)
      }
      expect((await patch(both.client, address, 0, Buffer.from('bytes'))).status).toBe(403)
    } finally {
      await admin.call(updateSharingSettings, { link_uploads: true })
    }
    expect((await patch(both.client, address, 0, Buffer.from('bytes'))).status).toBe(204)
  })
})

test('a visitor with a password sends by the visit that it gave', async () => {
  const folder = await buildFolder(user)
  const locked = await openSender(server, user, folder, { password: 'open sesame' })
  expect((await locked.ask({ length: 1 })).status).toBe(401)
  const visitor = openVisitor(server.url, locked.link.token)
  await visitor.post('/unlock', { password: 'open sesame' })
  const sender = openBrowser(server, locked.link, { cookie: visitor.cookie() ?? '' })
  const address = await sender.begin({ length: bytes.length, body: bytes.subarray(0, 1000), metadata: explicit })
  expect((await head(locked.client, address)).status).toBe(401)
  await patch(sender.client, address, 1000, bytes.subarray(1000))
  expect((await sender.finish(address)).status).toBe(201)
})
