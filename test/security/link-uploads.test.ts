/** Visitors' resumable uploads in the hands of others: by other links, other visits and users, and of links that end. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { deleteLink, updateLink } from '../../src/api/links.ts'
import { trashFile } from '../../src/api/trash.ts'
import { finishUpload, listUploads } from '../../src/api/tus.ts'
import { failure } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser, disableUser } from '../support/factories.ts'
import { openBrowser, openSender, type Sender } from '../support/link-uploads.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { beginUpload, bytesType, discard, head, idOf, offsetOf, patch, version } from '../support/tus.ts'
import { openVisitor } from '../support/visitor.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
  user = await buildUser(server)
})
afterEach(async () => expect(await findMiscounts(server.deps.db)).toEqual([]))
afterAll(() => server.close())

const bytes = randomBytes(100_000)
const explicit = { finish: 'explicit' }
const part = { length: bytes.length, body: bytes.subarray(0, 1000), metadata: explicit }
const filesIn = async ({ id }: { id: number }) => (await user.call(listFiles, { parent_id: id })).files

/** The statuses of all calls about an upload, which none of them changes where each is a refusal. */
async function askAll({ client, to, finish }: Sender, address: string): Promise<number[]> {
  const own = `${to}/${idOf(address)}`
  const patched = await patch(client, own, 1000, bytes.subarray(1000))
  return [
    (await head(client, own)).status,
    patched.status,
    (await finish(own)).status,
    (await discard(client, own)).status,
  ]
}
const hidden = [404, 404, 404, 404]

describe("a visitor's upload does not exist", () => {
  test('by another link to the same folder', async () => {
    const folder = await buildFolder(user)
    const [one, other] = [await openSender(server, user, folder), await openSender(server, user, folder)]
    const address = await one.begin(part)
    expect(await askAll(other, address)).toEqual(hidden)
    expect(offsetOf(await head(one.client, address))).toBe('1000')
  })

  test('for another visit of the same link, and none', async () => {
    const folder = await buildFolder(user)
    const { link } = await openSender(server, user, folder, { level: 'both', max_downloads: 9 })
    const file = await buildFile(user, { parent_id: folder.id })
    /** A browser that has a visit, by a counted download. */
    const visitor = async () => {
      const browser = openVisitor(server.url, link.token)
      await browser.raw(`/files/${file.id}/download`)
      return openBrowser(server, link, { cookie: browser.cookie() ?? '' })
    }
    const [one, other] = [await visitor(), await visitor()]
    const address = await one.begin(part)
    expect(await askAll(other, address)).toEqual(hidden)
    expect(await askAll(openBrowser(server, link), address)).toEqual(hidden)
    expect((await patch(one.client, address, 1000, bytes.subarray(1000))).status).toBe(204)
    expect((await one.finish(address)).status).toBe(201)
  })

  test('for users, not even the maker of the link and its folder', async () => {
    const sender = await openSender(server, user, await buildFolder(user))
    const address = await sender.begin(part)
    const own = `/api/uploads/${idOf(address)}`
    expect((await head(user, own)).status).toBe(404)
    expect((await patch(user, own, 1000, bytes.subarray(1000))).status).toBe(404)
    await expect(user.call(finishUpload, { id: idOf(own) })).rejects.toMatchObject({ status: 404 })
    expect((await discard(user, own)).status).toBe(404)
    expect((await user.call(listUploads, {})).uploads).toEqual([])
    expect(offsetOf(await head(sender.client, address))).toBe('1000')
  })
})

test("a user's upload does not exist by a link, not even in the link's folder", async () => {
  const folder = await buildFolder(user)
  const sender = await openSender(server, user, folder)
  const address = await beginUpload(user, { ...part, metadata: { ...explicit, parent_id: folder.id } })
  expect(await askAll(sender, address)).toEqual(hidden)
  expect(offsetOf(await head(user, address))).toBe('1000')
  await discard(user, address)
})

test('a cookie that is no visit of the link makes no visit of its upload', async () => {
  const { link } = await openSender(server, user, await buildFolder(user))
  const planted = openBrowser(server, link, { cookie: `filestore_link=${'p'.repeat(43)}` })
  const address = await planted.begin(part)
  // It is known by its id, as that of a visitor without a cookie.
  expect(offsetOf(await head(openBrowser(server, link).client, address))).toBe('1000')
})

test('a visitor chooses neither a folder nor what is replaced, at the beginning and at the end', async () => {
  const [folder, other] = [await buildFolder(user), await buildFolder(user)]
  await buildFile(user, { parent_id: folder.id, name: 'a.bin' }, 'the first')
  const sender = await openSender(server, user, folder)
  const fields = { parent_id: other.id, on_conflict: 'replace', if_match: '*', path: '/x' }
  for (const [field, value] of Object.entries(fields)) {
    const refused = await sender.ask({ length: 1, metadata: { [field]: value } })
    expect([field, refused.status]).toEqual([field, 400])
  }
  const address = await sender.begin({
    length: 5,
    metadata: { ...explicit, name: 'a.bin' },
    body: Buffer.from('other'),
  })
  for (const [field, value] of Object.entries({ ...fields, name: 'b.bin', metadata: [] })) {
    expect([field, (await sender.finish(address, { [field]: value })).status]).toEqual([field, 400])
  }
  expect((await sender.finish(address)).status).toBe(201)
  expect((await filesIn(folder)).map(({ name, size }) => [name, size])).toEqual([
    ['a (1).bin', 5],
    ['a.bin', 9],
  ])
  expect(await filesIn(other)).toEqual([])
})

test("the answers tell no other file's name, and are alike whether there is one or not", async () => {
  const folder = await buildFolder(user)
  const send = async () => {
    const sender = await openSender(server, user, folder)
    const content = randomBytes(10)
    const address = await sender.begin({ length: 10, metadata: { name: 'homework.txt' } })
    const answers = [await patch(sender.client, address, 0, content), await head(sender.client, address)]
    const finished = await sender.finish(address)
    const told = answers.map(({ status, headers }) => [status, [...headers.keys()].sort()])
    return [...told, finished.status, (await finished.json()).data]
  }
  expect(await send()).toEqual(await send())
  expect(await filesIn(folder)).toHaveLength(2)
})

test('the address of an upload names no host, and its answer is for no other site', async () => {
  const sender = await openSender(server, user, await buildFolder(user))
  const answer = await sender.ask({ length: 1 })
  expect(answer.headers.get('location')).toMatch(/^\/api\/s\/[\w-]{22}\/uploads\/[0-9a-f]{32}$/)
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
})

test('a request from another site begins no upload with a visit, and goes on with none', async () => {
  const { link } = await openSender(server, user, await buildFolder(user), { password: 'open sesame' })
  const visitor = openVisitor(server.url, link.token)
  await visitor.post('/unlock', { password: 'open sesame' })
  const sender = openBrowser(server, link, { cookie: visitor.cookie() ?? '' })
  const address = await sender.begin(part)
  const headers = { origin: 'https://evil.example' }
  expect(await failure(await sender.ask({ ...part, headers }))).toMatchObject({ status: 403, error: 'bad_origin' })
  const refused = await patch(sender.client, address, 1000, bytes.subarray(1000), headers)
  expect(await failure(refused)).toMatchObject({ status: 403, error: 'bad_origin' })
})

describe('a link that stops in the middle of an upload', () => {
  const ends: Record<string, (link: { id: number }, folder: { id: number }, maker: BuiltUser) => Promise<unknown>> = {
    'is ended': ({ id }, _folder, maker) => maker.call(deleteLink, { id }),
    'is paused': ({ id }, _folder, maker) => maker.call(updateLink, { id, is_active: false }),
    'loses its folder': (_link, { id }, maker) => maker.call(trashFile, { id }),
    'loses its maker': (_link, _folder, { id }) => disableUser(server, id),
  }

  test.each(Object.keys(ends))('answers 404 to every call when it %s', async how => {
    const maker = await buildUser(server)
    const folder = await buildFolder(maker)
    const sender = await openSender(server, maker, folder)
    const address = await sender.begin(part)
    await ends[how]?.(sender.link, folder, maker)
    expect(await askAll(sender, address)).toEqual(hidden)
    expect((await sender.ask({ length: 1 })).status).toBe(404)
  })

  test('makes no file of bytes that come meanwhile', async () => {
    const folder = await buildFolder(user)
    const sender = await openSender(server, user, folder)
    const large = randomBytes(2_000_000)
    const address = await sender.begin({ length: large.length })
    const headers = { ...version, ...bytesType, 'upload-offset': '0', 'content-length': String(large.length) }
    const sent = request(server.url + address, { method: 'PATCH', headers, agent: false })
    const status = new Promise(resolve => {
      sent.on('response', response => resolve(response.resume().statusCode))
    })
    sent.write(large.subarray(0, 1_500_000))
    const query = 'SELECT blob_key FROM uploads WHERE id = $1'
    const row = await server.deps.db.row<{ blob_key: string }>(query, [idOf(address)])
    await expect.poll(() => server.deps.store.size(row?.blob_key ?? '')).toBeGreaterThan(0)
    await user.call(updateLink, { id: sender.link.id, is_active: false })
    sent.end(large.subarray(1_500_000))
    expect(await status).toBe(404)
    expect(await filesIn(folder)).toEqual([])
    await user.call(updateLink, { id: sender.link.id, is_active: true })
    expect((await discard(sender.client, address)).status).toBe(204)
  })
})
