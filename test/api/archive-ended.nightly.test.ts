/**
 * Archives whose folder is trashed, or whose reader loses the right to read, while they are sent: they stop at the next
 * page.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endSession, listSessions } from '../../src/api/auth.ts'
import { copyFile, listFiles, moveFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { updateApiKey } from '../../src/api/keys.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { trashFile } from '../../src/api/trash.ts'
import { updateUser } from '../../src/api/users.ts'
import type { TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildRole, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

/** The content of a file that comes after the first page of files. */
const last = 'the last of all, in a file by itself'
const large = randomBytes(3 * 1024 ** 2)
let owner: BuiltUser
let top: FileDetails
let folder: FileDetails
/** The folder that comes first and takes long to read. */
let first: FileDetails
let key: Awaited<ReturnType<typeof buildKey>>
beforeEach(async () => {
  owner = await buildUser(server, {
    role: await buildRole(server, ['files:read', 'files:write', 'files:upload', 'files:delete', 'api-keys:manage']),
  })
  top = await buildFolder(owner)
  folder = await buildFolder(owner, undefined, top.id)
  key = await buildKey(server, owner, ['files:read', 'files:write'])
  // More bytes than the buffers of a connection take, so that the next page waits until the client reads the first.
  first = await buildFolder(owner, '1', folder.id)
  const content = await buildFile(owner, { name: 'a-0', parent_id: first.id }, large)
  await copyTimes(content, 7, n => ({ parent_id: first.id, name: `a-${n}` }))
  const small = await buildFolder(owner, '2-0', folder.id)
  await Promise.all(
    Array.from({ length: 25 }, (_, n) => buildFile(owner, { name: `b-${n}`, parent_id: small.id }, 'small')),
  )
  await copyTimes(small, 9, n => ({ parent_id: folder.id, name: `2-${n}` }))
  const end = await buildFolder(owner, '3', folder.id)
  await buildFile(owner, { name: 'y', parent_id: end.id }, last)
  await copyTimes(content, 1, () => ({ parent_id: end.id, name: 'z' }))
})

async function copyTimes(
  { id }: FileDetails,
  count: number,
  to: (n: number) => { parent_id: number; name: string },
): Promise<void> {
  for (let n = 1; n <= count; n++) await owner.call(copyFile, { id, ...to(n) })
}

const ask = (client: TestClient) => client.raw(`/api/files/${top.id}/archive`)

/** What a client receives of an archive when something happens after its first bytes. */
async function readWhile(asked: Promise<Response>, act: () => Promise<unknown>) {
  const response = await asked
  await act()
  const parts: Uint8Array[] = []
  const isWhole = await (async () => {
    for await (const part of response.body ?? []) parts.push(part)
  })().then(
    () => true,
    () => false,
  )
  return { isWhole, hasLast: Buffer.concat(parts).includes(last) }
}

const giveRole = async (...permissions: Permission[]) =>
  admin.call(updateUser, { id: owner.id, role: await buildRole(server, permissions) })

test.each<[string, () => Promise<unknown>]>([
  ['goes to the trash', () => owner.call(trashFile, { id: folder.id })],
  ['goes to the trash with the folder around it', () => owner.call(trashFile, { id: top.id })],
])('an archive breaks off at the next page when its folder %s', async (_what, act) => {
  expect(await readWhile(ask(owner), act)).toEqual({ isWhole: false, hasLast: false })
})

test.each<[string, () => TestClient, () => Promise<unknown>]>([
  ['is disabled', () => owner, () => admin.call(updateUser, { id: owner.id, is_active: false })],
  ['may read no more', () => key, () => giveRole('files:write')],
  [
    'has ended the session',
    () => owner,
    async () => {
      const [{ id } = { id: 0 }] = (await owner.call(listSessions, {})).sessions
      await owner.call(endSession, { id })
    },
  ],
  ['has disabled the key', () => key, () => owner.call(updateApiKey, { id: key.id, is_active: false })],
])('an archive breaks off at the next page when its reader %s', async (_what, clientOf, act) => {
  expect(await readWhile(ask(clientOf()), act)).toEqual({ isWhole: false, hasLast: false })
})

test('an archive of few large files breaks off, too, when its reader is disabled', async () => {
  const { files } = await owner.call(listFiles, { parent_id: first.id })
  const [content] = files
  for (let n = 8; n < 23; n++) await owner.call(copyFile, { id: content?.id ?? 0, parent_id: first.id, name: `a-${n}` })
  await buildFile(owner, { name: 'y', parent_id: first.id }, last)
  const all = await owner.call(listFiles, { parent_id: first.id })
  const ids = all.files.map(({ id }) => id)
  const headers = { 'content-type': 'application/json' }
  const asked = owner.raw('/api/files/archive', { method: 'POST', headers, body: JSON.stringify({ ids }) })
  const disable = () => admin.call(updateUser, { id: owner.id, is_active: false })
  expect(await readWhile(asked, disable)).toEqual({ isWhole: false, hasLast: false })
})

test.each<[string, () => Promise<unknown>]>([
  ['its folder is moved', () => owner.call(moveFile, { id: folder.id, parent_id: null })],
  ['its reader may do less, but read', () => giveRole('files:read')],
])('an archive is complete when %s', async (_what, act) => {
  expect(await readWhile(ask(key), act)).toEqual({ isWhole: true, hasLast: true })
})
