/** Nobody gets by a link what they may not do otherwise: not by keys, permissions, cookies or lengths. */
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { listLinks } from '../../src/api/links.ts'
import type { TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildRole, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

describe('a key', () => {
  const put = (client: TestClient, id: number, body: object) =>
    client.raw(`/api/links/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('that expires widens no link that goes on after it, and does not see where it is', async () => {
    const folder = await buildFolder(user)
    const key = await buildKey(server, user, ['files:read', 'files:upload', 'files:link'], 'script', { expires_in: 1 })
    const endless = await buildLink(user, folder, { password: 'open sesame', max_downloads: 1 })
    const changes = [{ password: null }, { password: 'another one' }, { level: 'both' }, { max_downloads: null }]
    for (const change of [...changes, { label: 'mine' }]) {
      expect([change, (await put(key, endless.id, change)).status]).toEqual([change, 403])
    }
    const { links } = await key.call(listLinks, { item_id: folder.id })
    expect(links).toMatchObject([{ id: endless.id, token: null, url: null }])
    expect((await put(key, endless.id, { is_active: false })).status).toBe(200)
  })

  test('gives by a link nothing that it may not do itself', async () => {
    const folder = await buildFolder(user)
    const key = await buildKey(server, user, ['files:link', 'files:read'])
    const make = (level: string) =>
      key.raw('/api/links', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ item_id: folder.id, level }),
      })
    expect([(await make('view')).status, (await make('both')).status, (await make('upload')).status]).toEqual([
      201, 403, 403,
    ])
    await buildLink(user, folder, { level: 'upload' })
    const { links } = await key.call(listLinks, { item_id: folder.id })
    expect(links.map(({ level, token }) => [level, token === null])).toEqual([
      ['upload', true],
      ['view', false],
    ])
  })
})

describe('a way around', () => {
  test('a list of all links is no way around the permission to make them', async () => {
    const file = await buildFile(user)
    await buildLink(user, file)
    const role = await buildRole(server, ['settings:manage', 'files:read'])
    const keeper = await buildUser(server, { role })
    expect((await keeper.raw(`/api/links?all=true&item_id=${file.id}`)).status).toBe(403)
    expect((await keeper.raw('/api/links?all=true')).status).toBe(200)
  })

  test('a planted cookie is given no download', async () => {
    const { token } = await buildLink(user, await buildFile(user), { max_downloads: 1 })
    const planted = `filestore_link=${'p'.repeat(43)}`
    expect((await openVisitor(server.url, token, planted).raw('/download')).status).toBe(200)
    expect((await openVisitor(server.url, token, planted).raw('/download')).status).toBe(404)
  })

  test('a link takes no more bytes than it may, also without an announced length', async () => {
    const folder = await buildFolder(user)
    const { token } = await buildLink(user, folder, { level: 'upload', max_bytes: 100_000 })
    async function* body() {
      yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n')
      for (let sent = 0; sent < 20; sent++) yield Buffer.alloc(50_000, 'x')
      yield Buffer.from('\r\n--b--\r\n')
    }
    const response = await fetch(`${server.url}/api/s/${token}/upload`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Readable.toWeb(Readable.from(body())) as unknown as BodyInit,
      duplex: 'half',
    } as RequestInit)
    expect([response.status, (await response.json()).error]).toEqual([413, 'quota_exceeded'])
    expect((await user.call(listFiles, { parent_id: folder.id })).total).toBe(0)
  })
})
