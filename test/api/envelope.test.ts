/** The shape of every answer: envelope, status codes, headers. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import { createApiKey } from '../../src/api/keys.ts'
import { trashFile } from '../../src/api/trash.ts'
import { openClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const json = { 'content-type': 'application/json' }

describe('an answer', () => {
  test('is an envelope with success, message and data', async () => {
    const response = await user.raw('/api/files')
    const body = await response.json()
    expect(response.status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['data', 'message', 'success'])
    expect(body.success).toBe(true)
    expect(body.message).toEqual(expect.any(String))
  })

  test('to a failed call has an error code, a message and a request id', async () => {
    const response = await user.raw('/api/files/999999')
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toEqual({
      success: false,
      message: 'File not found',
      error: 'not_found',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('that cannot be serialized is a 500 like any other failure', async context => {
    onlyOneServer('process', context)
    const stringify = JSON.stringify
    const spy = vi.spyOn(JSON, 'stringify').mockImplementation((value, ...rest) => {
      // V8 throws this error for a string of over 512 MB.
      if (value === '/') throw new RangeError('Invalid string length')
      return stringify(value, ...(rest as []))
    })
    onTestFinished(() => spy.mockRestore())
    const response = await user.raw('/api/files')
    expect(response.status).toBe(500)
    expect(response.headers.get('etag')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toMatchObject({ success: false, error: 'internal', request_id: expect.any(String) })
  })

  test('to a failed call has a new request id each time', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => (await (await user.raw('/api/files/999999')).json()).request_id),
    )
    expect(new Set(ids).size).toBe(2)
  })

  test('to invalid input names the wrong fields', async () => {
    const response = await user.raw('/api/files/folders', { method: 'POST', headers: json, body: '{"parent_id":"x"}' })
    expect(response.status).toBe(400)
    const { error, fields } = await response.json()
    expect(error).toBe('invalid_input')
    expect(fields).toEqual({ name: expect.any(String), parent_id: expect.any(String) })
  })

  test('has booleans, whole numbers, and times in UTC with milliseconds', async () => {
    const file = await buildFile(user, { modified_at: '2024-02-29T12:00:00+02:00' })
    const trashed = (await user.call(trashFile, { id: file.id })).file
    expect(trashed).toMatchObject({ is_directory: false, is_favorite: false, id: expect.any(Number) })
    for (const time of [trashed.created_at, trashed.updated_at, trashed.modified_at, trashed.deleted_at]) {
      expect(time).toMatch(isoTime)
    }
    expect(trashed.modified_at).toBe('2024-02-29T10:00:00.000Z')
  })

  test('has exactly the documented fields of an item', async () => {
    const { file } = await user.call(getFile, { id: (await buildFile(user, { name: 'fields.txt' }, 'abc')).id })
    expect(file).toEqual({
      id: file.id,
      name: 'fields.txt',
      path: '/fields.txt',
      logical_path: '/fields.txt',
      size: 3,
      mime_type: 'text/plain',
      parent_id: null,
      owner_id: user.id,
      owner_name: user.username,
      place: null,
      is_shared: false,
      may: { see: true, add: true, change: true, organise: true, trash: true, share: true },
      is_directory: false,
      is_favorite: false,
      created_at: expect.stringMatching(isoTime),
      updated_at: file.created_at,
      modified_at: null,
      deleted_at: null,
      thumbnail_path: null,
      tags: [],
      validation_status: 'approved',
      validation_comment: null,
      metadata: [],
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    })
  })

  test('is 201 when the call created something and 200 otherwise', async () => {
    const post = (path: string, body: object) =>
      user.raw(`/api${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) })
    expect((await post('/files/folders', { name: 'made' })).status).toBe(201)
    expect((await post('/files/folders', { name: 'made', exist_ok: true })).status).toBe(200)
    expect((await post('/auth/api-keys', { name: 'made', permissions: ['files:read'] })).status).toBe(201)
    const folder = await buildFolder(user)
    expect((await user.raw(`/api/files/${folder.id}/trash`, { method: 'PUT' })).status).toBe(200)
    expect((await user.raw(`/api/files/${folder.id}/restore`, { method: 'PUT' })).status).toBe(200)
  })
})

describe('an unknown path of the API', () => {
  test.each(['/api', '/api/', '/api/nothing', '/api/files/1/nothing', '/api/files/', '/api//files'])(
    'is 404 in the envelope: %s',
    async path => {
      for (const client of [user, openClient(server.url)]) {
        const response = await client.raw(path)
        expect(response.status).toBe(404)
        expect(await response.json()).toMatchObject({ success: false, error: 'not_found' })
      }
    },
  )

  test('is 404 even when its body cannot be parsed', async () => {
    const response = await user.raw('/api/nothing', { method: 'POST', headers: json, body: '{' })
    expect(response.status).toBe(404)
  })
})

describe('a method that a path does not support', () => {
  test.each([
    ['POST', '/api/files', 'GET, HEAD'],
    ['DELETE', '/api/files/upload', 'POST'],
    ['GET', '/api/files/upload', 'POST'],
    ['GET', '/api/files/folders', 'POST'],
    ['PUT', '/api/files/stats', 'GET, HEAD'],
    ['DELETE', '/api/files/trash', 'GET, HEAD'],
    ['GET', '/api/files/1/rename', 'PUT'],
    ['GET', '/api/auth/login', 'POST'],
    ['PATCH', '/api/auth/password', 'PUT'],
    ['OPTIONS', '/api/auth/api-keys', 'POST, GET, HEAD'],
  ])('is 405 with an Allow header: %s %s', async (method, path, allow) => {
    const response = await user.raw(path, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    expect(await response.json()).toMatchObject({ success: false, error: 'method_not_allowed' })
  })
})

describe('the headers', () => {
  test('of the API forbid caching and MIME sniffing, for success and failure alike', async () => {
    for (const path of ['/api/auth/profile', '/api/files/999999', '/api/nothing', '/api/auth/login']) {
      const { headers } = await user.raw(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })

  test('of listings and content allow only a private cache that revalidates', async () => {
    const file = await buildFile(user)
    for (const path of ['/api/files', `/api/files/${file.id}/download`, `/api/files/${file.id}/preview`]) {
      const { headers } = await user.raw(path)
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('etag')).not.toBeNull()
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('of a HEAD request are those of GET', async () => {
    const get = await user.raw('/api/files/stats')
    const head = await user.raw('/api/files/stats', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(await head.text()).toBe('')
  })
})

describe('secrets', () => {
  test('are sent once, when an API key is created, and hashes are never sent', async () => {
    const key = await user.call(createApiKey, { name: 'spy', permissions: ['files:read'] })
    const session = user.headers.cookie?.split('=')[1] ?? ''
    const paths = ['/api/auth/profile', '/api/auth/api-keys', '/api/files', '/api/files/stats', '/api/files/trash']
    for (const path of paths) {
      const body = await (await user.raw(path)).text()
      expect(body).not.toMatch(/argon2|secret|password_hash|gs_/)
      expect(body).not.toContain(session)
      expect(body).not.toContain(key.secret)
    }
  })

  test('are not in the answer to a broken path', async context => {
    onlyOneServer('proxy', context)
    const answer = await sendWire(server.url, { path: '/api/%ff%fe%zz', headers: user.headers })
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'not_found' })
  })
})
