/**
 * Requests that wait for a file slot or for the drawing of a thumbnail, and lose their right meanwhile, send nothing.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endSession, listSessions } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { updateApiKey } from '../../src/api/keys.ts'
import { maxOpenFiles, maxStreams } from '../../src/api/limits.ts'
import { listPermissions, listRoles, updateRole } from '../../src/api/roles.ts'
import { updateUser } from '../../src/api/users.ts'
import { failure } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildRole,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { drawImage, svg } from '../support/images.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { askWhile, hold } from './waiting.ts'

/** So much that a client that does not read it keeps its place. */
const large = randomBytes(20 * 1024 ** 2)

let server: TestServer
let admin: BuiltUser
let user: BuiltUser
let folder: FileDetails
let file: FileDetails
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await buildUser(server)
  folder = await buildFolder(user)
  file = await buildFile(user, { parent_id: folder.id }, large)
})

const ended = { status: 401, error: 'unauthenticated' }

const disable = () => admin.call(updateUser, { id: user.id, is_active: false })
const end = async () => {
  const [{ id } = { id: 0 }] = (await user.call(listSessions, {})).sessions
  await user.call(endSession, { id })
}

test.each([
  ['user is disabled', disable],
  ['session is ended', end],
])('a download, a preview and a ZIP file that wait in the queue send nothing once their %s', async (_what, act) => {
  const image = await buildFile(user, { name: 'image.png' }, randomBytes(100_000))
  const held = await hold(server, maxOpenFiles, `/api/files/${file.id}/download`, user)
  const paths = [`/api/files/${file.id}/download`, `/api/files/${image.id}/preview`, `/api/files/${folder.id}/archive`]
  expect(await askWhile(held, paths, user, act)).toEqual(paths.map(() => ended))
})

test('a ZIP file that waits in the queue sends nothing once its API key is disabled', async () => {
  const key = await buildKey(server, user, ['files:read'])
  const path = `/api/files/${folder.id}/archive`
  const held = await hold(server, maxStreams, path, key)
  const act = () => user.call(updateApiKey, { id: key.id, is_active: false })
  expect(await askWhile(held, [path], key, act)).toEqual([ended])
})

test('a ZIP file that waits in the queue sends nothing once its user may no longer read', async () => {
  const key = await buildKey(server, user, ['files:read'])
  const path = `/api/files/${folder.id}/archive`
  const held = await hold(server, maxStreams, path, key)
  const role = await buildRole(server, ['files:write'])
  const [answer] = await askWhile(held, [path], key, () => admin.call(updateUser, { id: user.id, role }))
  expect(answer).toEqual({ status: 403, error: 'forbidden' })
})

test('a file that waits for approval is not sent to who may no longer review once it is their turn', async () => {
  const reads = ['files:read', 'files:upload'] as const
  const role = await buildRole(server, [...reads, 'validation:review'])
  const reviewer = await buildUser(server, { role })
  const { id: own } = await buildFile(reviewer, {}, large)
  await turnSettings(admin, { validation_enabled: true })
  const held = await buildFile(user, { name: 'held.png' }, randomBytes(100_000))
  await turnSettings(admin, { validation_enabled: false })
  const path = `/api/files/${held.id}/download`
  expect((await reviewer.raw(path)).status).toBe(200)
  const sockets = await hold(server, maxOpenFiles, `/api/files/${own}/download`, reviewer)
  const { roles } = await admin.call(listRoles, {})
  const { id } = roles.find(({ name }) => name === role) ?? expect.fail()
  const { permissions } = await admin.call(listPermissions, {})
  const left = permissions.filter(({ key }) => reads.some(kept => kept === key)).map(permission => permission.id)
  const demote = () => admin.call(updateRole, { id, permission_ids: left })
  const [answer] = await askWhile(sockets, [path], reviewer, demote)
  expect(answer).toEqual({ status: 403, error: 'forbidden' })
})

test('a refused ZIP file is a JSON error without the headers of a download', async () => {
  const held = await hold(server, maxStreams, `/api/files/${folder.id}/archive`, user)
  const answer = user.raw(`/api/files/${folder.id}/archive`)
  for (let round = 0; round < 10; round++) await user.call(listFiles, {})
  await disable()
  for (const socket of held) socket.destroy()
  const { headers } = await answer
  expect([headers.get('content-disposition'), headers.get('content-type')]).toEqual([
    null,
    expect.stringContaining('application/json'),
  ])
})

test('thumbnails that wait in the queue are neither drawn nor sent once their user is disabled', async () => {
  const noise = `<filter id="f"><feTurbulence baseFrequency="0.05" numOctaves="15" seed="1"/></filter>
    <rect width="1000" height="1000" filter="url(#f)"/>`
  const costly = await buildFile(user, { name: 'costly.svg' }, svg(noise, 1000, 1000))
  const small = await buildFile(user, { name: 'small.png' }, await drawImage(5, 7).as('png'))
  const pathOf = ({ id }: { id: number }) => `/api/files/${id}/thumbnail`
  const first = user.raw(pathOf(costly))
  const underWay = async () =>
    /^filestore_thumbnails_under_way (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]
  await expect.poll(underWay).toBe('1')
  const paths = [pathOf(small), pathOf(costly)]
  expect(await askWhile([], paths, user, disable)).toEqual(paths.map(() => ended))
  expect(await failure(await first)).toEqual(ended)
  const query = 'SELECT t.id FROM file_thumbnails t JOIN files f ON f.id = t.file_id WHERE f.id = $1'
  expect(await server.deps.db.row(query, [small.id])).toBeUndefined()
})
