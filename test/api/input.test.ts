/** Inputs are validated strictly: the server refuses fields and values that the contract does not name. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failure, signIn } from '../support/client.ts'
import { contract } from '../support/contract.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let fileId: number
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  fileId = (await buildFile(user)).id
})
afterAll(() => server.close())

const send = async (method: string, path: string, body?: unknown) =>
  failure(
    await user.raw(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

const refused = (...fields: string[]) => ({
  status: 400,
  error: 'invalid_input',
  fields: Object.fromEntries(fields.map(field => [field, expect.any(String)])),
})

describe('an unknown field', () => {
  test.each([
    ['POST', '/files/folders', { name: 'a', colour: 'red' }, 'colour'],
    ['POST', '/files/folders', { name: 'a', Name: 'b' }, 'Name'],
    ['POST', '/files/folders', { name: 'a', owner_id: 1 }, 'owner_id'],
    ['POST', '/files/folders', '{"name":"a","__proto__":{"exist_ok":true}}', '__proto__'],
    ['POST', '/files/folders', '{"name":"a","constructor":1}', 'constructor'],
    ['POST', '/files/folders', { name: 'a', metadata: [] }, 'metadata'],
    [
      'PUT',
      '/auth/password',
      { current_password: 'a', Current_Password: 'b', new_password: 'long enough' },
      'Current_Password',
    ],
    ['POST', '/auth/api-keys', { name: 'a', permissions: ['files:read'], secret: 'gs_x' }, 'secret'],
    ['POST', '/auth/api-keys', { name: 'a', permissions: ['files:read'], user_id: 1 }, 'user_id'],
    ['POST', '/auth/login', { username: 'a', password: 'b', remember: true }, 'remember'],
    ['POST', '/auth/logout', { everywhere: true }, 'everywhere'],
  ])('is refused in a body: %s %s %j', async (method, path, body, field) => {
    expect(await send(method, path, body)).toEqual(refused(field))
  })

  test.each([
    ['/files?colour=red', 'colour'],
    ['/files?Parent_Id=1', 'Parent_Id'],
    ['/files?__proto__=1', '__proto__'],
    ['/files/stats?since=1', 'since'],
    ['/files/trash?sort=name', 'sort'],
    ['/files/by-path?path=/a&follow=1', 'follow'],
    ['/auth/profile?id=1', 'id'],
  ])('is refused in a query: %s', async (path, field) => {
    expect(await send('GET', path)).toEqual(refused(field))
  })

  test('is refused beside the id in the path, even when it is called id', async () => {
    expect(await send('GET', `/files/${fileId}?id=1`)).toEqual(refused('id'))
    expect(await send('PUT', `/files/${fileId}/rename`, { id: 1, name: 'b' })).toEqual(refused('id'))
    expect(await send('PUT', `/files/${fileId}/trash`, { force: true })).toEqual(refused('force'))
  })

  test('does not change the prototype of objects', async () => {
    await send(
      'POST',
      '/files/folders',
      '{"name":"a","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    )
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('a value of the wrong type', () => {
  test.each([
    ['/files/folders', { name: ['a'] }, 'name'],
    ['/files/folders', { name: { toString: 'a' } }, 'name'],
    ['/files/folders', { name: 7 }, 'name'],
    ['/files/folders', { name: null }, 'name'],
    ['/files/folders', { name: 'a', parent_id: '1' }, 'parent_id'],
    ['/files/folders', { name: 'a', parent_id: 'null' }, 'parent_id'],
    ['/files/folders', { name: 'a', parent_id: [1] }, 'parent_id'],
    ['/files/folders', { name: 'a', parent_id: 1.5 }, 'parent_id'],
    ['/files/folders', { name: 'a', parent_id: -1 }, 'parent_id'],
    ['/files/folders', { name: 'a', parent_id: 0 }, 'parent_id'],
    ['/files/folders', '{"name":"a","parent_id":1e400}', 'parent_id'],
    ['/files/folders', { name: 'a', parent_id: true }, 'parent_id'],
    ['/files/folders', { name: 'a', exist_ok: 'true' }, 'exist_ok'],
    ['/files/folders', { name: 'a', exist_ok: 1 }, 'exist_ok'],
    ['/auth/login', { username: ['admin'], password: 'x' }, 'username'],
    ['/auth/login', { username: 'admin', password: { $ne: null } }, 'password'],
    ['/auth/api-keys', { name: 'a', permissions: 'files:read' }, 'permissions'],
    ['/auth/api-keys', { name: 'a', permissions: { 0: 'files:read' } }, 'permissions'],
  ])('is refused: %s %j', async (path, body, field) => {
    expect(await send('POST', path, body)).toEqual(refused(field))
  })

  test.for([
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'abc',
    '%252e%252e',
    '..%2f1',
    '1%00',
    '١',
    '+1',
    '9007199254740992',
    '99999999999999999999',
  ])('is refused as an id in a path: %s', async (id, context) => {
    // nginx refuses it by itself.
    if (id === '1%00') onlyOneServer('proxy', context)
    expect(await send('GET', `/files/${id}`)).toEqual(refused('id'))
    expect(await send('PUT', `/files/${id}/trash`)).toEqual(refused('id'))
    expect(await send('DELETE', `/auth/api-keys/${id}`)).toEqual(refused('id'))
  })

  test('is 404 when it is a valid but unknown id, however large', async () => {
    for (const id of ['2147483648', '9007199254740991']) {
      expect(await send('GET', `/files/${id}`)).toEqual({ status: 404, error: 'not_found' })
    }
  })

  test.each([
    ['parent_id=1.5', 'parent_id'],
    ['parent_id=-1', 'parent_id'],
    ['parent_id=abc', 'parent_id'],
    ['parent_id=1&parent_id=2', 'parent_id'],
    ['parent_id=NULL', 'parent_id'],
    ['sort=owner', 'sort'],
    ['sort=name&sort=date', 'sort'],
    ['sort=name%3B%20DROP%20TABLE%20files', 'sort'],
    ['order=down', 'order'],
    ['order=ASC', 'order'],
    ['only=links', 'only'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=2.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=all', 'limit'],
    ['cursor=', 'cursor'],
    ['cursor=abc', 'cursor'],
  ])('is refused in the query of a listing: %s', async (query, field) => {
    expect(await send('GET', `/files?${query}`)).toEqual(refused(field))
  })
})

describe('the message for a wrong field is a sentence for people', () => {
  test.each([
    ['POST', '/files/folders', {}, 'name', 'This field is required'],
    ['POST', '/files/folders', { name: 7 }, 'name', 'Expected text'],
    ['POST', '/files/folders', { name: 'a', exist_ok: 1 }, 'exist_ok', 'Expected true or false'],
    ['POST', '/auth/api-keys', { name: 'a', permissions: 'files:read' }, 'permissions', 'Expected a list'],
    ['POST', '/tags/tag-files', { tag_id: 1, file_ids: {} }, 'file_ids', 'Expected a list'],
    ['GET', '/files?order=down', undefined, 'order', 'Expected one of: asc, desc'],
    ['GET', '/files?limit=0', undefined, 'limit', 'Expected a whole number from 1 to 1000'],
    ['GET', '/files?limit=2.5', undefined, 'limit', 'Expected a whole number from 1 to 1000'],
  ])('%s %s %j: %s', async (method, path, body, field, sentence) => {
    expect((await send(method, path, body)).fields).toEqual({ [field]: sentence })
  })

  test('for every call and every wrong value', async () => {
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    const names = ['name', 'status', 'ids', 'permissions', 'is_active', 'value', 'metadata', 'action', 'label', 'email']
    const said = new Set<string>()
    for (const { endpoint } of contract) {
      if (!endpoint.carrier.startsWith('json') || endpoint.path.startsWith('/auth/log')) continue
      for (const value of [7, [], {}, 'x'.repeat(70_000), null]) {
        const response = await admin.raw(`/api${endpoint.path.replace(/:\w+/, '1')}`, {
          method: endpoint.method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(Object.fromEntries(names.map(name => [name, value]))),
        })
        for (const sentence of Object.values((await failure(response)).fields ?? {})) said.add(String(sentence))
      }
    }
    expect(said.size).toBeGreaterThan(10)
    expect([...said].filter(sentence => /Invalid|received|Too (big|small)|[<>|]/.test(sentence))).toEqual([])
  })
})

describe('the root folder', () => {
  test.each(['', '?parent_id=', '?parent_id=null'])('is listed with the query: %s', async query => {
    const response = await user.raw(`/api/files${query}`)
    expect((await response.json()).data).toMatchObject({ path: '/', folder: null, breadcrumbs: [] })
  })

  test('is the parent when a body has no parent_id, or null, or an empty text', async () => {
    for (const body of [{ name: 'absent' }, { name: 'null', parent_id: null }, { name: 'empty', parent_id: '' }]) {
      const response = await user.raw('/api/files/folders', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect((await response.json()).data.file.parent_id).toBeNull()
    }
  })

  test('is the parent when a form has an empty parent_id, or the text null', async () => {
    for (const parentId of ['', 'null']) {
      const form = new FormData()
      form.set('parent_id', parentId)
      form.set('file', new Blob(['x']), 'root.txt')
      const response = await user.raw('/api/files/upload', { method: 'POST', body: form })
      expect((await response.json()).data.file.parent_id).toBeNull()
    }
  })
})

describe('a parent_id', () => {
  test('is 404 in every call when it is unknown, another user’s, a file or trashed', async () => {
    const stranger = await buildUser(server)
    const trashed = await buildFolder(user)
    await user.raw(`/api/files/${trashed.id}/trash`, { method: 'PUT' })
    const ids = [999_999, (await buildFolder(stranger)).id, fileId, trashed.id]
    const before = await readHoldings(server)
    const notFound = { status: 404, error: 'not_found' }
    for (const id of ids) {
      expect(await send('GET', `/files?parent_id=${id}`)).toEqual(notFound)
      expect(await send('POST', '/files/folders', { name: 'new', parent_id: id })).toEqual(notFound)
      expect(await send('POST', '/files/folders', { name: 'new', parent_id: id, exist_ok: true })).toEqual(notFound)
      expect(await send('PUT', `/files/${fileId}/move`, { parent_id: id })).toEqual(notFound)
      for (const order of [
        ['parent_id', 'file'],
        ['file', 'parent_id'],
      ]) {
        const form = new FormData()
        for (const name of order) {
          if (name === 'file') form.set('file', new Blob(['x'.repeat(40_000)]), 'new.txt')
          else form.set('parent_id', String(id))
        }
        expect(await failure(await user.raw('/api/files/upload', { method: 'POST', body: form }))).toEqual(notFound)
      }
    }
    expect(await readHoldings(server)).toEqual(before)
  })
})

test('the refusal of an unknown field shows only the beginning of a long name', async () => {
  const answer = await user.raw('/api/files/by-path', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ path: '/a', ['x'.repeat(500_000)]: 1 }),
  })
  expect(answer.status).toBe(400)
  expect((await answer.text()).length).toBeLessThan(1000)
})
