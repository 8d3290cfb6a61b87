/** What visitors do by a link: look, download, and hand in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFiles } from '../../src/api/files.ts'
import { updateLink } from '../../src/api/links.ts'
import type { LinkInfo, VisitorItem, VisitorListing } from '../../src/api/visits.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor, type Visitor } from '../support/visitor.ts'

let server: TestServer
let admin: TestClient
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  user = await buildUser(server)
})
afterAll(() => server.close())

const visit = async (item: { id: number }, options: Parameters<typeof buildLink>[2] = {}): Promise<Visitor> =>
  openVisitor(server.url, (await buildLink(user, item, options)).token)

const list = (visitor: Visitor, query = ''): Promise<VisitorListing> =>
  visitor.get(`/files${query}`) as Promise<VisitorListing>

async function failed(response: Response) {
  const { error, message, fields } = await response.json()
  return { status: response.status, error, message, ...(fields === undefined ? {} : { fields: Object.keys(fields) }) }
}

describe('a link to a file', () => {
  test('shows what it is, and gives its bytes, ranges and preview', async () => {
    const file = await buildFile(user, { name: 'letter.txt' }, 'a letter of some length')
    const visitor = await visit(file)
    expect(await visitor.get('')).toMatchObject({
      locked: false,
      level: 'view',
      kind: 'file',
      item_id: file.id,
      name: 'letter.txt',
      size: 23,
      downloads_left: null,
      fields: [],
      from: user.username,
    })
    for (const path of ['/download', `/files/${file.id}/download`]) {
      const response = await visitor.raw(path)
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="letter.txt"')
      expect(await response.text()).toBe('a letter of some length')
    }
    const part = await visitor.raw('/download', { headers: { range: 'bytes=2-7' } })
    expect([part.status, await part.text()]).toEqual([206, 'letter'])
    expect(await (await visitor.raw(`/files/${file.id}/preview`)).text()).toBe('a letter of some length')
    expect((await visitor.get(`/files/${file.id}`)) as object).toMatchObject({
      file: { name: 'letter.txt', path: '/' },
    })
    expect((await visitor.raw('/files')).status).toBe(404)
  })

  test('tells nothing of its owner, its tags and its approval', async () => {
    const file = await buildFile(user)
    const { file: shown } = (await (await visit(file)).get(`/files/${file.id}`)) as { file: VisitorItem }
    expect(Object.keys(shown).sort()).toEqual([
      'id',
      'is_directory',
      'mime_type',
      'modified_at',
      'name',
      'parent_id',
      'path',
      'size',
      'thumbnail_path',
      'updated_at',
    ])
  })
})

describe('a link to a folder', () => {
  test('lists it and the folders in it, with paths that begin there', async () => {
    const above = await buildFolder(user, `above-${Date.now()}`)
    const folder = await buildFolder(user, 'Photos', above.id)
    const inner = await buildFolder(user, '2025', folder.id)
    await buildFile(user, { parent_id: inner.id, name: 'sea.txt' })
    await buildFile(user, { parent_id: above.id, name: 'beside.txt' })
    const visitor = await visit(folder)
    const top = await list(visitor)
    expect(top).toMatchObject({ total: 1, total_folders: 1, path: '/', breadcrumbs: [] })
    expect(top.folders).toMatchObject([{ name: '2025', path: '/2025' }])
    const below = await list(visitor, `?parent_id=${inner.id}`)
    expect(below).toMatchObject({ path: '/2025', breadcrumbs: [{ id: inner.id, name: '2025', path: '/2025' }] })
    expect(below.files).toMatchObject([{ name: 'sea.txt', path: '/2025/sea.txt' }])
    for (const id of [above.id, 999_999]) expect((await visitor.raw(`/files?parent_id=${id}`)).status).toBe(404)
  })

  test('gives it, a folder in it, and chosen items as ZIP files', async () => {
    const folder = await buildFolder(user)
    const inner = await buildFolder(user, 'in', folder.id)
    const file = await buildFile(user, { parent_id: folder.id, name: 'a.txt' })
    await buildFile(user, { parent_id: inner.id, name: 'b.txt' })
    const visitor = await visit(folder)
    const names = [`/download`, `/files/${folder.id}/archive`, `/files/${inner.id}/archive`]
    for (const path of names) {
      const response = await visitor.raw(path)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'application/zip'])
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(0, 2)
          .toString(),
      ).toBe('PK')
    }
    const chosen = await visitor.post('/archive', { ids: [file.id, inner.id] })
    expect([chosen.status, Buffer.from(await chosen.arrayBuffer()).includes('a.txt')]).toEqual([200, true])
    const form = await visitor.raw('/archive', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `ids=${file.id}`,
    })
    expect(form.status).toBe(200)
    const other = await buildFile(user)
    expect((await visitor.post('/archive', { ids: [file.id, other.id] })).status).toBe(404)
  })

  test('hides what waits for approval', async () => {
    const folder = await buildFolder(user)
    await buildFile(user, { parent_id: folder.id, name: 'shown.txt' })
    await turnSettings(admin, { validation_enabled: true })
    try {
      const held = await buildFile(user, { parent_id: folder.id, name: 'held.txt' })
      const visitor = await visit(folder)
      const { total, files } = await list(visitor)
      expect([total, files.map(({ name }) => name)]).toEqual([1, ['shown.txt']])
      for (const path of ['', '/download', '/preview']) {
        expect([path, (await visitor.raw(`/files/${held.id}${path}`)).status]).toEqual([path, 404])
      }
      const zip = Buffer.from(await (await visitor.raw('/download')).arrayBuffer())
      expect([zip.includes('shown.txt'), zip.includes('held.txt')]).toEqual([true, false])
      expect((await openVisitor(server.url, (await buildLink(user, held)).token).raw('')).status).toBe(404)
    } finally {
      await turnSettings(admin, { validation_enabled: false })
    }
  })
})

describe('a link to upload', () => {
  test('takes files into its folder, and shows nothing of it', async () => {
    const folder = await buildFolder(user, 'Hand in')
    const there = await buildFile(user, { parent_id: folder.id, name: 'essay.txt' })
    const visitor = await visit(folder, { level: 'upload' })
    expect(await visitor.get('')).toMatchObject({ level: 'upload', name: 'Hand in', size: null })
    const response = await visitor.upload('mine', { name: 'essay.txt' })
    expect([response.status, (await response.json()).data]).toEqual([201, { name: 'essay.txt', size: 4 }])
    for (const path of ['/files', '/download', `/files/${there.id}`, `/files/${folder.id}/archive`]) {
      expect([path, (await visitor.raw(path)).status]).toEqual([path, 404])
    }
    const { files } = await user.call(listFiles, { parent_id: folder.id })
    expect(files.map(({ name, owner_id }) => [name, owner_id])).toEqual([
      ['essay (1).txt', user.id],
      ['essay.txt', user.id],
    ])
    expect((await openVisitor(server.url, (await buildLink(user, folder)).token).upload('x')).status).toBe(403)
  })

  test('puts the sender in front of the name, and requires it only where it is asked for', async () => {
    const folder = await buildFolder(user)
    const asking = await visit(folder, { level: 'upload', ask_name: true })
    expect(await failed(await asking.upload('x', { name: 'a.txt' }))).toMatchObject({ status: 400, fields: ['sender'] })
    const sent = await asking.upload('x', { name: 'a.txt', sender: 'Anna Meier' })
    expect((await sent.json()).data).toEqual({ name: 'a.txt', size: 1 })
    const plain = await visit(folder, { level: 'upload' })
    expect(await failed(await plain.upload('x', { sender: 'Anna' }))).toMatchObject({ status: 400, fields: ['sender'] })
    const { files } = await user.call(listFiles, { parent_id: folder.id })
    expect(files.map(({ name }) => name)).toEqual(['Anna Meier - a.txt'])
  })

  test('asks for required metadata, and stores nothing without it', async () => {
    const folder = await buildFolder(user)
    const field = await buildField(admin, { is_required: true })
    await turnSettings(admin, { metadata_enabled: true, metadata_required_on_upload: true })
    try {
      const visitor = await visit(folder, { level: 'upload' })
      expect(((await visitor.get('')) as LinkInfo).fields).toMatchObject([{ id: field.id, is_required: true }])
      expect((await visitor.upload('x')).status).toBe(400)
      expect((await user.call(listFiles, { parent_id: folder.id })).total).toBe(0)
      const metadata = [{ field_id: field.id, value: 'given' }]
      expect((await visitor.upload('x', { metadata })).status).toBe(201)
      const [{ id } = { id: 0 }] = (await user.call(listFiles, { parent_id: folder.id })).files
      expect((await user.call(getFile, { id })).file.metadata).toMatchObject([{ value: 'given' }])
    } finally {
      await turnSettings(admin, { metadata_required_on_upload: false })
      await admin.raw(`/api/metadata/fields/${field.id}`, { method: 'DELETE' })
    }
  })

  test('always waits for approval while approval is on, also for an administrator', async () => {
    const folder = (await buildFolder(admin)) as { id: number }
    await turnSettings(admin, { validation_enabled: true, auto_validate_admin: true })
    try {
      const { token } = await buildLink(admin, folder, { level: 'both' })
      const visitor = openVisitor(server.url, token)
      expect((await visitor.upload('x', { name: 'sent.txt' })).status).toBe(201)
      expect((await list(visitor)).total).toBe(0)
      // The place's owner is a reviewer, but did not put it there.
      const { files, held } = await admin.call(listFiles, { parent_id: folder.id })
      expect([files, held]).toEqual([[], 1])
    } finally {
      await turnSettings(admin, { validation_enabled: false, auto_validate_admin: false })
    }
  })

  test('takes no more bytes than it may, and counts those that it took', async () => {
    const folder = await buildFolder(user)
    const { id, token } = await buildLink(user, folder, { level: 'upload', max_bytes: 10 })
    const visitor = openVisitor(server.url, token)
    expect((await visitor.upload('12345678')).status).toBe(201)
    expect(await failed(await visitor.upload('12345'))).toMatchObject({ status: 413, error: 'quota_exceeded' })
    expect((await visitor.upload('12')).status).toBe(201)
    expect((await user.call(updateLink, { id, label: 'counted' })).link).toMatchObject({ uploads: 2, bytes_in: 10 })
    expect((await user.call(listFiles, { parent_id: folder.id })).total).toBe(2)
  })

  test('counts on the quota of the place, and its refusal tells no figures', async () => {
    const small = await buildUser(server, { storageQuota: 20 })
    const folder = await buildFolder(small)
    const { token } = await buildLink(small, folder, { level: 'upload' })
    const refusal = await failed(await openVisitor(server.url, token).upload('x'.repeat(30)))
    expect(refusal).toMatchObject({ status: 413, error: 'quota_exceeded' })
    expect(refusal.message).not.toMatch(/\d/)
  })
})
