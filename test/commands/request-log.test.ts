/** The request log: who requested what with which result, and no secrets. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changePassword, getProfile, logout } from '../../src/api/auth.ts'
import { copyFile, createFolder, renameFile } from '../../src/api/files.ts'
import { type CreatedApiKey, createApiKey, listApiKeys } from '../../src/api/keys.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { createUser } from '../../src/api/users.ts'
import { type ServeProcess, serveBinary } from '../support/binary.ts'
import { openClient, signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildFolder } from '../support/factories.ts'
import { makeDataFolder } from '../support/migrated.ts'
import { spoilRows } from '../support/spoil.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

const password = 'a password that nobody may read'
const env = { FILESTORE_ADMIN_PASSWORD: password }

let dataDir: string
let server: ServeProcess
beforeEach(async () => {
  dataDir = await makeDataFolder()
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

interface Line {
  level: number
  requestId?: string
  method?: string
  route?: string
  status?: number
  ms?: number
  bytes_in?: number
  bytes_out?: number
  user?: number
  key?: number
  link?: number
  address?: string
  error?: string
  msg: string
}

/** Stops the server, and returns its log as text and as lines. */
async function readLog(): Promise<{ text: string; lines: Line[]; requests: Line[] }> {
  await server.stop()
  const text = String((await server.child).stderr)
  const lines = text.split('\n').map(line => JSON.parse(line) as Line)
  return { text, lines, requests: lines.filter(({ msg }) => msg === 'request') }
}

const start = async (...flags: string[]): Promise<TestClient> => {
  server = await serveBinary(['--data-dir', dataDir, ...flags], env)
  return signIn(server.url, 'admin', password)
}

const keyOf = ({ key_id, secret }: CreatedApiKey, url: string) => ({
  headers: openClient(url, { 'x-api-key-id': key_id, 'x-api-secret': secret }),
  basic: openClient(url, { authorization: `Basic ${Buffer.from(`${key_id}:${secret}`).toString('base64')}` }),
  bearer: openClient(url, { authorization: `Bearer ${key_id}:${secret}` }),
  turned: openClient(url, { 'x-api-key-id': secret, 'x-api-secret': key_id }),
})

test('a busy run logs no password, cookie, key, content, name or query, even at the finest level', async () => {
  const admin = await start('--log-level', 'debug')
  const secrets = [
    password,
    'the next password',
    'a wrong password',
    'bytes of a file',
    'name of a folder',
    'looked for',
  ]
  const created = await admin.call(createApiKey, { name: 'a', permissions: ['files:read', 'files:upload'] })
  const post = (path: string, body: string) =>
    admin.raw(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  await admin.upload('bytes of a file', { name: 'name of a folder.txt' })
  const { file } = await admin.call(createFolder, { name: 'name of a folder' })
  await expect(admin.call(renameFile, { id: file.id, name: 'name of a folder.txt' })).rejects.toMatchObject({
    status: 409,
  })
  await post('/api/auth/login', JSON.stringify({ username: 'admin', password: 'a wrong password' }))
  await post('/api/auth/login', `{"username":"admin","password":"a wrong password"`)
  await admin.raw(`/api/files/search?q=${encodeURIComponent('looked for')}`)
  await admin.raw(`/api/files/by-path?path=${encodeURIComponent('/name of a folder/none')}`)
  await admin.raw(`/${encodeURIComponent('name of a folder')}?token=${created.secret}`)
  await admin.raw(`/api/${encodeURIComponent('name of a folder')}`)
  for (const client of Object.values(keyOf(created, server.url))) await client.raw('/api/files')
  await keyOf({ ...created, secret: `${created.secret}x` }, server.url).bearer.raw('/api/files')
  const user = await admin.call(createUser, { username: 'somebody', email: 'somebody@example.org', role: 'user' })
  await admin.call(changePassword, { current_password: password, new_password: 'the next password' })
  await admin.call(logout, {})
  const cookie = admin.headers.cookie?.split('=')[1] ?? ''
  const basic = Buffer.from(`${created.key_id}:${created.secret}`).toString('base64')
  const { text, requests } = await readLog()
  expect(requests.length).toBeGreaterThan(18)
  for (const secret of [...secrets, created.secret, basic, cookie, user.temp_password ?? 'none']) {
    expect(secret.length).toBeGreaterThan(3)
    for (const form of [secret, encodeURIComponent(secret)]) expect(text).not.toContain(form)
  }
})

test('a log line of a link has its id, and its address and password stand nowhere, nor in the metrics', async () => {
  const admin = await start('--log-level', 'debug')
  const { id, token } = await buildLink(admin, await buildFolder(admin), { level: 'both', password: 'open sesame' })
  const visitor = openVisitor(server.url, token)
  await admin.raw(`/s/${token}`)
  await admin.raw(`/s/${token}/further?${token}`)
  await visitor.raw('')
  await visitor.post('/unlock', { password: 'a wrong password' })
  await visitor.post('/unlock', { password: 'open sesame' })
  await visitor.upload('handed in')
  await visitor.raw(`/nowhere?${token}`)
  await spoilRows({ dataDir, databaseFlag: undefined }, 'UPDATE links SET password_hash = 5, expires_at = 1e300')
  await Promise.all([visitor.raw(''), visitor.raw('/files')])
  const metrics = await (await admin.raw('/metrics')).text()
  const { text, requests } = await readLog()
  const told = requests.filter(({ route }) => route?.startsWith('/api/s/:token') || route === '/s/*')
  expect(told.map(({ route }) => route)).toEqual(
    expect.arrayContaining(['/s/*', '/api/s/:token', '/api/s/:token/unlock', '/api/s/:token/upload']),
  )
  expect(told.find(({ route }) => route === '/api/s/:token/upload')).toMatchObject({ status: 201, link: id })
  for (const secret of [token, 'open sesame', 'a wrong password', visitor.cookie()?.split('=')[1] ?? 'none']) {
    expect(text).not.toContain(secret)
    expect(metrics).not.toContain(secret)
  }
})

test('a log line names user, key, route and status, and has the request id of the answer', async () => {
  const admin = await start()
  const { id } = await admin.call(getProfile, {})
  const created = await admin.call(createApiKey, { name: 'a', permissions: ['files:read'] })
  const refused = await keyOf(created, server.url).bearer.raw('/api/tags')
  const requestId = refused.headers.get('x-request-id')
  expect((await refused.json()).request_id).toBe(requestId)
  await admin.upload('x'.repeat(50_000))
  const { requests } = await readLog()
  expect(requests.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
    'POST /api/auth/login 200',
    'POST /api/auth/api-keys 201',
    'GET /api/tags 403',
    'POST /api/files/upload 201',
  ])
  expect(requests[2]).toMatchObject({ level: 30, requestId, user: id, key: created.id, address: '127.0.0.1' })
  expect(requests[2]?.ms).toBeGreaterThanOrEqual(0)
  expect(requests[3]).toMatchObject({ user: id })
  expect(requests[3]?.bytes_in).toBeGreaterThan(50_000)
  expect(requests[3]?.bytes_in).toBeLessThan(52_000)
})

test('reads are logged at the level debug, with the bytes sent', async () => {
  const admin = await start('--log-level', 'debug')
  const { id } = await admin.upload('x'.repeat(50_000))
  await (await admin.raw(`/api/files/${id}/download`)).text()
  const ids = [await admin.raw('/healthz'), await admin.raw('/'), await admin.raw('/api/nowhere')].map(({ headers }) =>
    headers.get('x-request-id'),
  )
  expect(new Set(ids).size).toBe(3)
  const { requests } = await readLog()
  const told = requests.filter(({ route }) => route === '/api/files/:id/download')
  expect(told).toMatchObject([{ level: 20, method: 'GET', status: 200 }])
  expect(told[0]?.bytes_out).toBeGreaterThan(50_000)
  expect(told[0]?.bytes_out).toBeLessThan(52_000)
  // A line is written after its answer was sent, so lines may be in another order.
  const lineOf = (id: string | null) => requests.find(({ requestId }) => requestId === id)
  expect(ids.map(id => [lineOf(id)?.route, lineOf(id)?.level])).toEqual([
    ['/healthz', 20],
    ['/*', 20],
    ['/api/*', 30],
  ])
})

test('archives that end early because their user trashes the folder or signs out are not logged as failures', async () => {
  const admin = await start()
  const { id } = await buildFolder(admin)
  const file = await buildFile(admin, { name: 'a', parent_id: id }, randomBytes(3 * 1024 ** 2))
  // More than the server reads between two checks of the permission.
  for (let n = 0; n < 24; n++) await admin.call(copyFile, { id: file.id, parent_id: id })
  const breakOff = async (act: () => Promise<unknown>) => {
    const response = await admin.raw(`/api/files/${id}/archive`)
    await act()
    await expect(response.arrayBuffer()).rejects.toThrow()
  }
  await breakOff(() => admin.call(trashFile, { id }))
  await admin.call(restoreFile, { id })
  await breakOff(() => admin.call(logout, {}))
  const { text, lines } = await readLog()
  expect(lines.filter(({ msg }) => msg === 'an answer broke off')).toMatchObject([
    { level: 30, error: 'not_found' },
    { level: 30, error: 'unauthenticated' },
  ])
  expect(lines.filter(({ level }) => level > 30)).toEqual([])
  expect(text).not.toContain('stack')
})

test('a damaged row is logged once, however often it is read', async () => {
  const admin = await start()
  const { id } = await admin.call(createApiKey, { name: 'a key', permissions: ['files:read'] })
  await spoilRows({ dataDir, databaseFlag: undefined }, "UPDATE api_keys SET permissions = 'no JSON'")
  for (let count = 0; count < 3; count += 1) {
    expect((await admin.call(listApiKeys, {})).api_keys).toMatchObject([{ id, permissions: [] }])
  }
  const { lines } = await readLog()
  expect(lines.filter(({ msg }) => msg.includes('filestore fsck'))).toMatchObject([{ row: `api_keys ${id}` }])
})
