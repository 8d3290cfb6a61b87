/** Held files: who may reach a pending or rejected file, in every call that shows one. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { getFile, listFiles, moveFile } from '../../src/api/files.ts'
import { listLinkEvents } from '../../src/api/links.ts'
import { trashFile } from '../../src/api/trash.ts'
import { decideFile, listPending } from '../../src/api/validation.ts'
import type { TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildReviewer,
  buildTeam,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { explain } from '../support/query-plans.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
let owner: BuiltUser
let stranger: BuiltUser
let reviewer: BuiltUser
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  owner = await buildUser(server)
  stranger = await buildUser(server)
  reviewer = await buildReviewer(server)
  await turnSettings(admin, { validation_enabled: true })
})
afterAll(() => server.close())

/** The calls on one file that a reviewer may make for a held file. */
const shows = ['', '/preview', '/download']
/** All other calls with the id of a file; only the owner may make them. */
const ownersOnly: [method: string, path: (id: number) => string, body?: (id: number) => object][] = [
  ['GET', id => `/files/${id}/events`],
  ['GET', id => `/files/${id}/tags`],
  ['GET', id => `/files/${id}/archive`],
  ['PUT', id => `/files/${id}/rename`, () => ({ name: 'taken over' })],
  ['PUT', id => `/files/${id}/move`, () => ({})],
  ['PUT', id => `/files/${id}/favorite`, () => ({ is_favorite: true })],
  ['PUT', id => `/files/${id}/metadata`, () => ({ metadata: [] })],
  ['PUT', id => `/files/${id}/trash`, () => ({})],
  ['PUT', id => `/files/${id}/restore`, () => ({})],
  ['POST', id => `/files/${id}/copy`, () => ({})],
  ['POST', () => '/files/archive', id => ({ ids: [id] })],
]

const held = (status: 'pending' | 'rejected'): Promise<number> =>
  buildFile(owner, { name: `${status} ${Math.random()}.txt` }, 'held content').then(async ({ id }) => {
    if (status === 'rejected') await reviewer.call(decideFile, { file_id: id, status, comment: 'no' })
    return id
  })

const statusesOf = (client: TestClient, id: number): Promise<number[]> =>
  Promise.all(
    shows.flatMap(path =>
      ['GET', 'HEAD'].map(async method => (await client.raw(`/api/files/${id}${path}`, { method })).status),
    ),
  )
const all = (status: number): number[] => shows.flatMap(() => [status, status])

describe.each(['pending', 'rejected'] as const)('a %s file', status => {
  test('can be viewed, previewed and downloaded by its owner, and shows its status in the listing', async () => {
    const id = await held(status)
    expect(await statusesOf(owner, id)).toEqual(all(200))
    expect(await (await owner.raw(`/api/files/${id}/download`)).text()).toBe('held content')
    const { files } = await owner.call(listFiles, {})
    expect(files.find(file => file.id === id)?.validation_status).toBe(status)
  })

  test('can be viewed, previewed and downloaded by a reviewer, with a session or a key with that permission', async () => {
    const id = await held(status)
    const key = await buildKey(server, reviewer, ['files:read', 'validation:review'])
    for (const client of [reviewer, admin, key]) {
      expect(await statusesOf(client, id)).toEqual(all(200))
      expect(await (await client.raw(`/api/files/${id}/download`)).text()).toBe('held content')
    }
  })

  test('is 404 for other users, and for a reviewer’s key without the permission', async () => {
    const id = await held(status)
    const key = await buildKey(server, reviewer, ['files:read'])
    for (const client of [stranger, key]) expect(await statusesOf(client, id)).toEqual(all(404))
  })

  test('is 404 in every other call for everyone but its owner', async () => {
    const id = await held(status)
    for (const client of [stranger, reviewer, admin]) {
      for (const [method, path, body] of ownersOnly) {
        const response = await client.raw(`/api${path(id)}`, {
          method,
          headers: { 'content-type': 'application/json' },
          body: body === undefined ? undefined : JSON.stringify(body(id)),
        })
        const { message } = await response.json()
        expect({ method, path: path(id), status: response.status }).toEqual({ method, path: path(id), status: 404 })
        expect(message).not.toBe('No such call')
      }
    }
  })

  test('is found by its path only by its owner', async () => {
    const id = await held(status)
    const { path } = (await owner.call(getFile, { id })).file
    const find = async (client: TestClient) =>
      (await client.raw(`/api/files/by-path?path=${encodeURIComponent(path)}`)).status
    expect(await Promise.all([owner, reviewer, admin, stranger].map(find))).toEqual([200, 404, 404, 404])
  })

  test('shows a reviewer its path and metadata, but not the owner’s tags and favorite mark', async () => {
    const id = await held(status)
    const { db } = server.deps
    await db.touch(async () => {
      const tag = await db.insert(db.tags, { owner_id: owner.id, name: `tag of ${id}`, color: '#ff0000' })
      await db.insertAll(db.fileTags, [{ tag_id: tag, file_id: id }])
      await db.update(db.files, { is_favorite: 1 }, id)
    })
    const own = (await owner.call(getFile, { id })).file
    expect(own).toMatchObject({ is_favorite: true, tags: [{ name: `tag of ${id}` }] })
    expect((await reviewer.call(getFile, { id })).file).toEqual({
      ...own,
      is_favorite: false,
      tags: [],
      may: { see: false, add: false, change: false, organise: false, trash: false, share: false },
    })
  })

  test('is 404 for a reviewer when it is in the trash', async () => {
    const id = await held(status)
    await owner.call(trashFile, { id })
    expect(await statusesOf(reviewer, id)).toEqual(all(404))
  })
})

describe('a reviewer', () => {
  test('finds no held file of others in any listing', async () => {
    const { name } = await buildFile(owner, { name: 'waiting for approval.txt' })
    const lists = [
      '/files',
      '/files/search?q=waiting',
      '/files/favorites',
      '/files/trash',
      '/files/stats',
      '/files/recent',
      '/tags',
    ]
    for (const client of [reviewer, admin]) {
      for (const path of lists) {
        const response = await client.raw(`/api${path}`)
        expect({ path, status: response.status }).toEqual({ path, status: 200 })
        expect(await response.text()).not.toContain(name)
      }
    }
  })

  test('gets 404 for a file after its approval, even when a browser revalidates its copy', async () => {
    const id = await held('pending')
    const etag = (await reviewer.raw(`/api/files/${id}/download`)).headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    await reviewer.call(decideFile, { file_id: id, status: 'approved' })
    expect(await statusesOf(reviewer, id)).toEqual(all(404))
    const again = await reviewer.raw(`/api/files/${id}/download`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(404)
    expect(await statusesOf(owner, id)).toEqual(all(200))
  })

  test('cannot see the folder of a held file', async () => {
    const folder = await buildFolder(owner)
    const file = await buildFile(owner, { parent_id: folder.id })
    // No call can hold a folder; a row that says so all the same must not give access.
    const { db } = server.deps
    await db.touch(() => db.update(db.files, { validation_status: 'pending' }, folder.id))
    expect((await reviewer.raw(`/api/files/${file.id}`)).status).toBe(200)
    expect((await reviewer.raw(`/api/files/${folder.id}`)).status).toBe(404)
    expect((await reviewer.raw(`/api/files?parent_id=${folder.id}`)).status).toBe(404)
  })

  test('loses access with the first request after losing the role', async () => {
    const id = await held('pending')
    const former = await buildReviewer(server)
    expect(await statusesOf(former, id)).toEqual(all(200))
    await server.deps.db.touch(() =>
      server.deps.db.change("UPDATE users SET role_id = (SELECT id FROM roles WHERE name = 'user') WHERE id = $1", [
        former.id,
      ]),
    )
    expect(await statusesOf(former, id)).toEqual(all(404))
  })
})

test('held files are counted in a listing, and looked for before a move to a team, in an index of their own', async context => {
  onlyOneServer('process', context)
  const folder = await buildFolder(owner)
  const team = await buildTeam(admin, owner)
  await buildFile(owner, { parent_id: folder.id })
  const { db } = server.deps
  const read = vi.spyOn(db, 'row')
  await owner.call(listFiles, { parent_id: folder.id })
  await owner.call(moveFile, { id: folder.id, parent_id: team.folder_id })
  const queries = read.mock.calls.filter(([sql]) => /live_parent.*validation_status <> 'approved'/s.test(sql))
  read.mockRestore()
  expect(queries.length).toBeGreaterThan(1)
  for (const [sql, bind] of queries) {
    expect(JSON.stringify(await explain(server, sql, bind))).toContain('files_held_in')
  }
})

test('a file that a link brought is told in its activity without name and size until it is approved', async () => {
  const link = await buildLink(owner, await buildFolder(owner), { level: 'upload' })
  await openVisitor(server.url, link.token).upload('sick', { name: 'sick note.txt' })
  const details = async () =>
    (await owner.call(listLinkEvents, { id: link.id })).events
      .filter(({ action }) => action === 'file.upload')
      .map(({ detail }) => detail)
  await expect.poll(details).toEqual([null])
  const [waiting] = (await reviewer.call(listPending, {})).filter(({ name }) => name === 'sick note.txt')
  await reviewer.call(decideFile, { file_id: waiting?.id ?? 0, status: 'approved' })
  await expect.poll(details).toMatchObject([{ name: 'sick note.txt', size: 4 }])
})
