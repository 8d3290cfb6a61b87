/** The ETag of a listing: it stays the same while nothing changes, and differs after every kind of change. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, moveFile, renameFile } from '../../src/api/files.ts'
import { deleteShare } from '../../src/api/shares.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const list = (query: string, etag?: string): Promise<Response> =>
  user.raw(`/api/files${query}`, { headers: etag === undefined ? {} : { 'if-none-match': etag } })
const etagOf = async (query: string): Promise<string> => (await list(query)).headers.get('etag') ?? ''

describe('the ETag of a listing', () => {
  test('answers 304 without a body when nothing changed', async () => {
    await buildFile(user)
    const etag = await etagOf('')
    expect(etag).toMatch(/^W\/".+"$/)
    const response = await list('', etag)
    expect(response.status).toBe(304)
    expect(await response.text()).toBe('')
    expect(response.headers.get('etag')).toBe(etag)
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('matches in a list of ETags, and with or without the W/ prefix', async () => {
    const etag = await etagOf('')
    for (const header of [`"other", ${etag}`, `${etag},"other"`, etag.slice(2)]) {
      expect((await list('', header)).status).toBe(304)
    }
    for (const header of ['"other"', 'W/"other"', '']) expect((await list('', header)).status).toBe(200)
  })

  test('answers 304 to HEAD as to GET', async () => {
    const etag = await etagOf('')
    const response = await user.raw('/api/files', { method: 'HEAD', headers: { 'if-none-match': etag } })
    expect(response.status).toBe(304)
  })

  test('differs for every folder, sort, order, part and page', async () => {
    const folder = await buildFolder(user)
    const queries = ['', '?sort=date', '?order=desc', '?only=files', '?limit=1', '?limit=2', `?parent_id=${folder.id}`]
    const etags = await Promise.all(queries.map(etagOf))
    expect(new Set(etags).size).toBe(queries.length)
  })

  test('differs for another user', async () => {
    const stranger = await buildUser(server)
    const response = await stranger.raw('/api/files', { headers: { 'if-none-match': await etagOf('') } })
    expect(response.status).toBe(200)
  })

  test('differs for another user who sees the same folder, whose marks and held files are others', async () => {
    const [one, two, folder] = [await buildUser(server), await buildUser(server), await buildFolder(user)]
    for (const reader of [one, two]) await buildShare(user, folder, reader, 'view')
    const read = (client: BuiltUser, etag = '') =>
      client.raw(`/api/files?parent_id=${folder.id}`, { headers: { 'if-none-match': etag } })
    const etag = (await read(one)).headers.get('etag') ?? ''
    expect([(await read(one, etag)).status, (await read(two, etag)).status]).toEqual([304, 200])
  })

  test('opens nothing: with it, who has no share or no share any more gets 404', async () => {
    const [reader, stranger, folder] = [await buildUser(server), await buildUser(server), await buildFolder(user)]
    const share = await buildShare(user, folder, reader, 'view')
    const path = `/api/files?parent_id=${folder.id}`
    const etags = await Promise.all([user, reader].map(async one => (await one.raw(path)).headers.get('etag') ?? ''))
    const statusOf = async (client: BuiltUser, etag: string) =>
      (await client.raw(path, { headers: { 'if-none-match': etag } })).status
    expect(await statusOf(reader, etags[1] ?? '')).toBe(304)
    await user.call(deleteShare, { id: share.id })
    for (const etag of [...etags, '*']) {
      expect([await statusOf(reader, etag), await statusOf(stranger, etag)]).toEqual([404, 404])
    }
  })

  const changes: [string, (ids: { file: number; folder: number; trashed: number }) => Promise<unknown>][] = [
    ['an upload', () => buildFile(user)],
    ['new content', () => buildFile(user, { name: 'file', on_conflict: 'replace' }, 'new content')],
    ['a new folder', () => user.call(createFolder, { name: 'another' })],
    ['a rename', ({ file }) => user.call(renameFile, { id: file, name: 'renamed' })],
    [
      'the rename of a folder on the way to it',
      ({ folder }) => user.call(renameFile, { id: folder, name: 'moved up' }),
    ],
    ['a move', ({ file, folder }) => user.call(moveFile, { id: file, parent_id: folder })],
    ['trashing', ({ file }) => user.call(trashFile, { id: file })],
    ['restoring', ({ trashed }) => user.call(restoreFile, { id: trashed })],
  ]
  test.each(changes)('changes with %s', async (_name, change) => {
    const file = await buildFile(user, { name: 'file', on_conflict: 'replace' }, 'content')
    const folder = await buildFolder(user)
    const trashed = await buildFile(user)
    await user.call(trashFile, { id: trashed.id })
    const inner = await buildFolder(user, 'inner', folder.id)
    for (const query of ['', `?parent_id=${inner.id}`]) {
      const etag = await etagOf(query)
      expect((await list(query, etag)).status).toBe(304)
    }
    const [root, below] = [await etagOf(''), await etagOf(`?parent_id=${inner.id}`)]
    await change({ file: file.id, folder: folder.id, trashed: trashed.id })
    expect((await list('', root)).status).toBe(200)
    expect((await list(`?parent_id=${inner.id}`, below)).status).toBe(200)
  })

  test('does not hide that the folder is in the trash: 404', async () => {
    const folder = await buildFolder(user)
    const etag = await etagOf(`?parent_id=${folder.id}`)
    await user.call(trashFile, { id: folder.id })
    expect((await list(`?parent_id=${folder.id}`, etag)).status).toBe(404)
  })
})
