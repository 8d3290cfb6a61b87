/** Links as those use them who make them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import { createLink, deleteLink, listLinkEvents, listLinks, updateLink } from '../../src/api/links.ts'
import { listAccess, updateSharingSettings } from '../../src/api/shares.ts'
import { updateSpace } from '../../src/api/spaces.ts'
import { trashFile } from '../../src/api/trash.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildRole,
  buildShare,
  buildTeam,
  buildUser,
  disableUser,
  userRolePermissions,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, newLinkRules, openVisitor } from '../support/visitor.ts'

let server: TestServer
let admin: TestClient
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  user = await buildUser(server)
})
afterAll(() => server.close())

const statusOf = async (token: string): Promise<number> => (await openVisitor(server.url, token).raw('')).status

async function refused(client: TestClient, method: string, path: string, body?: object) {
  const response = await client.raw(`/api${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const { error, fields } = await response.json()
  return { status: response.status, error, fields: fields === undefined ? [] : Object.keys(fields) }
}

describe('a link', () => {
  test('is made with all its terms, and its address can be read again', async () => {
    const folder = await buildFolder(user, 'Handed out')
    const made = await buildLink(user, folder, { level: 'both', label: 'For Ann', max_downloads: 3, ask_name: true })
    expect(made).toMatchObject({
      item_id: folder.id,
      item: { name: 'Handed out', path: '/Handed out', is_directory: true },
      level: 'both',
      label: 'For Ann',
      has_password: false,
      max_downloads: 3,
      ask_name: true,
      works: true,
      reason: null,
      made_by: { username: user.username },
    })
    expect(made.token).toMatch(/^[\w-]{22}$/)
    expect(['', server.url].map(base => `${base}/s/${made.token}`)).toContain(made.url)
    const { links } = await user.call(listLinks, { item_id: folder.id })
    expect(links).toEqual([made])
    expect((await user.call(listLinks, {})).links[0]).toEqual(made)
    expect((await user.call(getFile, { id: folder.id })).file.is_shared).toBe(true)
  })

  test('is kept nowhere in a form that can be read', async () => {
    const { token } = await buildLink(user, await buildFile(user), { password: 'a long secret' })
    const rows = JSON.stringify(await server.deps.db.rows('SELECT * FROM links'))
    expect(rows).not.toContain(token)
    expect(rows).not.toContain('a long secret')
    const events = JSON.stringify(await server.deps.db.rows('SELECT * FROM events'))
    expect(events).not.toContain(token)
  })

  test('is changed, paused, let work again, extended and ended', async () => {
    const { id, token } = await buildLink(user, await buildFile(user), { expires_at: '2100-01-01T00:00:00.000Z' })
    const { link } = await user.call(updateLink, { id, label: 'Draft', max_downloads: 2, expires_at: null })
    expect(link).toMatchObject({ label: 'Draft', max_downloads: 2, expires_at: null, token })
    expect((await user.call(updateLink, { id, is_active: false })).link).toMatchObject({
      works: false,
      reason: 'paused',
    })
    expect(await statusOf(token)).toBe(404)
    expect((await user.call(updateLink, { id, is_active: true })).link.works).toBe(true)
    expect(await statusOf(token)).toBe(200)
    await user.call(deleteLink, { id })
    expect(await statusOf(token)).toBe(404)
    expect(await refused(user, 'PUT', `/links/${id}`, { label: 'x' })).toMatchObject({ status: 404 })
  })

  test('that is refused leaves none', async () => {
    const [file, folder] = [await buildFile(user), await buildFolder(user)]
    const cases: [body: object, field: string][] = [
      [{ item_id: file.id, level: 'upload' }, 'level'],
      [{ item_id: file.id, level: 'edit' }, 'level'],
      [{ item_id: folder.id, level: 'view', password: 'short' }, 'password'],
      [{ item_id: folder.id, level: 'view', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ item_id: folder.id, level: 'view', max_downloads: 0 }, 'max_downloads'],
      [{ item_id: folder.id, level: 'view', max_bytes: -1 }, 'max_bytes'],
      [{ item_id: folder.id, level: 'view', label: 'x'.repeat(101) }, 'label'],
      [{ item_id: folder.id, level: 'view', token: 'mine' }, 'token'],
    ]
    for (const [body, field] of cases) {
      const { status, fields } = await refused(user, 'POST', '/links', body)
      expect([body, status, fields]).toEqual([body, 400, [field]])
    }
    for (const { id } of [file, folder]) expect((await user.call(listLinks, { item_id: id })).links).toEqual([])
  })

  test('to what the caller does not reach is 404, and to what they do not manage 403', async () => {
    const other = await buildUser(server)
    const folder = await buildFolder(user)
    const { id } = await buildLink(user, folder)
    expect(await refused(other, 'POST', '/links', { item_id: folder.id, level: 'view' })).toMatchObject({ status: 404 })
    expect(await refused(other, 'GET', `/links?item_id=${folder.id}`)).toMatchObject({ status: 404 })
    for (const method of ['PUT', 'DELETE']) {
      expect(await refused(other, method, `/links/${id}`, method === 'PUT' ? {} : undefined)).toMatchObject({
        status: 404,
      })
    }
    await buildShare(user, folder, other, 'edit')
    expect(await refused(other, 'POST', '/links', { item_id: folder.id, level: 'view' })).toMatchObject({ status: 403 })
    expect(await refused(other, 'GET', `/links?item_id=${folder.id}`)).toMatchObject({ status: 403 })
    expect(await refused(other, 'PUT', `/links/${id}`, { label: 'mine' })).toMatchObject({ status: 403 })
    expect(await refused(other, 'GET', `/links/${id}/events`)).toMatchObject({ status: 403 })
  })

  test('is listed among the ways to an item, with the folder that it is on', async () => {
    const folder = await buildFolder(user, 'Above')
    const file = await buildFile(user, { parent_id: folder.id })
    const viewing = await buildLink(user, folder, { label: 'To see' })
    await buildLink(user, folder, { level: 'upload', label: 'To add' })
    const { access } = await user.call(listAccess, { id: file.id })
    expect(access.filter(({ link_id }) => link_id !== null)).toEqual([
      expect.objectContaining({
        link_id: viewing.id,
        share_id: null,
        who: { kind: 'link', id: viewing.id, name: 'To see', full_name: null },
        level: 'view',
        because: { id: folder.id, name: 'Above' },
        works: true,
      }),
    ])
  })

  test('tells its maker what it was used for', async () => {
    const file = await buildFile(user, { name: 'used.txt' })
    const { id, token } = await buildLink(user, file)
    const visitor = openVisitor(server.url, token)
    await visitor.get('')
    await (await visitor.raw('/download')).arrayBuffer()
    await server.deps.journal.flush()
    const read = async () => (await user.call(listLinks, { item_id: file.id })).links[0]
    await expect.poll(read).toMatchObject({ opened: 1, downloads: 1, uploads: 0 })
    expect((await read())?.last_used_at).not.toBeNull()
    await expect
      .poll(async () => (await user.call(listLinkEvents, { id })).events)
      .toMatchObject([{ action: 'file.download', address: '127.0.0.1', detail: { name: 'used.txt' } }])
  })
})

describe('who answers for a link', () => {
  test('loses the right to make links, and theirs stop until it is given back', async () => {
    const role = await buildRole(server, userRolePermissions)
    const maker = await buildUser(server, { role })
    const { token } = await buildLink(maker, await buildFile(maker))
    expect(await statusOf(token)).toBe(200)
    const { db } = server.deps
    await db.touch(() =>
      db.change(
        "DELETE FROM role_permissions WHERE role_id = (SELECT id FROM roles WHERE name = $1) AND permission_id = (SELECT id FROM permissions WHERE `key` = 'files:link')",
        [role],
      ),
    )
    expect(await statusOf(token)).toBe(404)
  })

  test('is disabled, and their links stop', async () => {
    const maker = await buildUser(server)
    const { token } = await buildLink(maker, await buildFile(maker))
    await disableUser(server, maker.id)
    expect(await statusOf(token)).toBe(404)
  })

  test('leaves a team folder, and a manager takes the link over', async () => {
    const manager = await buildUser(server)
    const editor = await buildUser(server)
    const team = await buildTeam(admin, manager)
    await manager.call(updateSpace, { id: team.id, editors_may_link: true })
    const share = await buildShare(manager, { id: team.folder_id }, editor, 'edit')
    const folder = await buildFolder(manager, 'Plans', team.folder_id)
    const { id, token } = await buildLink(editor, folder)
    expect(await statusOf(token)).toBe(200)
    expect((await manager.raw(`/api/shares/${share.id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await statusOf(token)).toBe(404)
    expect((await manager.call(listLinks, { item_id: folder.id })).links).toMatchObject([{ id, reason: 'maker' }])
    const { link } = await manager.call(updateLink, { id, take_over: true })
    expect(link).toMatchObject({ works: true, token, made_by: { username: manager.username } })
    expect(await statusOf(token)).toBe(200)
  })

  test('is an editor of a team folder only where its managers let editors', async () => {
    const [manager, editor] = [await buildUser(server), await buildUser(server)]
    const team = await buildTeam(admin, manager)
    await buildShare(manager, { id: team.folder_id }, editor, 'edit')
    const folder = await buildFolder(manager, 'Plans', team.folder_id)
    const body = { item_id: folder.id, level: 'view' }
    expect(await refused(editor, 'POST', '/links', body)).toMatchObject({ status: 403 })
    await manager.call(updateSpace, { id: team.id, editors_may_link: true })
    const own = await buildLink(editor, folder)
    const others = await buildLink(manager, folder)
    expect((await editor.call(listLinks, { item_id: folder.id })).links.map(({ id }) => id)).toEqual([own.id])
    expect((await manager.call(listLinks, { item_id: folder.id })).links.map(({ id }) => id)).toEqual([
      others.id,
      own.id,
    ])
    expect(await refused(editor, 'PUT', `/links/${others.id}`, { label: 'x' })).toMatchObject({ status: 403 })
    await manager.call(updateSpace, { id: team.id, editors_may_link: false })
    expect(await statusOf(own.token)).toBe(404)
    expect(await statusOf(others.token)).toBe(200)
  })

  test('cannot link a team folder itself', async () => {
    const manager = await buildUser(server)
    const team = await buildTeam(admin, manager)
    const { status, fields } = await refused(manager, 'POST', '/links', { item_id: team.folder_id, level: 'view' })
    expect([status, fields]).toEqual([400, ['item_id']])
  })
})

describe('the settings of links', () => {
  test('bind links that are there at once, and those that are made', async () => {
    const folder = await buildFolder(user)
    const [viewing, adding, both] = [
      await buildLink(user, folder),
      await buildLink(user, folder, { level: 'upload' }),
      await buildLink(user, folder, { level: 'both' }),
    ]
    const reasons = async () =>
      new Map((await user.call(listLinks, { item_id: folder.id })).links.map(({ id, reason }) => [id, reason]))
    const make = (options: object) => refused(user, 'POST', '/links', { item_id: folder.id, level: 'view', ...options })
    try {
      await admin.call(updateSharingSettings, { link_uploads: false })
      expect([await statusOf(viewing.token), await statusOf(adding.token), await statusOf(both.token)]).toEqual([
        200, 404, 200,
      ])
      expect((await openVisitor(server.url, both.token).upload('x')).status).toBe(403)
      expect(await make({ level: 'upload' })).toMatchObject({ status: 400, fields: ['level'] })
      await admin.call(updateSharingSettings, { ...newLinkRules, link_password_required: true })
      expect((await reasons()).get(viewing.id)).toBe('rules')
      expect(await make({})).toMatchObject({ status: 400, fields: ['password'] })
      await admin.call(updateSharingSettings, { ...newLinkRules, link_max_days: 7 })
      expect(await statusOf(viewing.token)).toBe(404)
      expect(await make({})).toMatchObject({ status: 400, fields: ['expires_at'] })
      expect(await make({ expires_at: '2100-01-01T00:00:00Z' })).toMatchObject({ status: 400, fields: ['expires_at'] })
      await admin.call(updateSharingSettings, { ...newLinkRules, links: false })
      expect((await reasons()).get(viewing.id)).toBe('off')
      expect(await make({})).toMatchObject({ status: 403 })
    } finally {
      await admin.call(updateSharingSettings, newLinkRules)
    }
    expect(await statusOf(viewing.token)).toBe(200)
  })

  test('let an administrator see and end all links, without what they are on', async () => {
    const file = await buildFile(user, { name: 'private-plan.txt' })
    const { id, token } = await buildLink(user, file, { label: 'Plan' })
    const { links } = await admin.call(listLinks, { all: 'true' })
    const found = links.find(link => link.id === id)
    expect(found).toMatchObject({ item: null, token: null, url: null, label: 'Plan', works: true })
    expect(JSON.stringify(links)).not.toContain('private-plan')
    await admin.call(deleteLink, { id })
    expect(await statusOf(token)).toBe(404)
    expect(await refused(user, 'GET', '/links?all=true')).toMatchObject({ status: 403 })
  })
})

test('a link works again when its item comes back from the trash', async () => {
  const file = await buildFile(user)
  const { token } = await buildLink(user, file)
  await user.call(trashFile, { id: file.id })
  expect(await statusOf(token)).toBe(404)
  expect((await user.raw(`/api/files/${file.id}/restore`, { method: 'PUT' })).status).toBe(200)
  expect(await statusOf(token)).toBe(200)
})

test('an item has at most a hundred links', async () => {
  const file = await buildFile(user)
  for (let count = 0; count < 100; count++) await user.call(createLink, { item_id: file.id, level: 'view' })
  expect(await refused(user, 'POST', '/links', { item_id: file.id, level: 'view' })).toMatchObject({
    status: 400,
    fields: ['item_id'],
  })
})
