/** `filestore admin pending …`, beside a server on the same data. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { listPending } from '../../src/api/validation.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { expectRefusal, readJson, runOn } from './administration.ts'

let server: TestServer
let admin: TestClient
let ann: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  ann = await buildUser(server, { username: 'ann' })
  await turnSettings(admin, { validation_enabled: true })
})
afterAll(() => server.close())

const pending = (args: string[]) => runOn(server, ['admin', 'pending', ...args])
const statusOf = async ({ id }: FileDetails) => {
  const { validation_status, validation_comment } = (await ann.call(getFile, { id })).file
  return [validation_status, validation_comment]
}

test('list answers what waits as the API does, under names that approve takes', async () => {
  expect(await pending(['list'])).toEqual({ code: 0, stdout: '', stderr: 'No file waits' })
  const folder = await buildFolder(ann, 'Reports')
  const file = await buildFile(ann, { name: 'may.txt', parent_id: folder.id })
  expect(await readJson(server, ['pending', 'list'])).toEqual(await admin.call(listPending, {}))
  expect((await pending(['list'])).stdout).toMatch(/^ *\d+ +\d+ Bytes +\S+ \S+ +ann:\/Reports\/may\.txt$/m)
  const approved = await pending(['approve', 'ann:/Reports/may.txt'])
  expect(approved).toEqual({ code: 0, stdout: '/Reports/may.txt was approved', stderr: '' })
  expect(await statusOf(file)).toEqual(['approved', null])
})

test('reject tells the owner the reason, and answers the file', async () => {
  const file = await buildFile(ann)
  const args = ['pending', 'reject', `id:${file.id}`, '--reason', 'A page is missing']
  const rejected = { id: file.id, validation_status: 'rejected', validation_comment: 'A page is missing' }
  expect(await readJson(server, args)).toMatchObject(rejected)
  expect(await statusOf(file)).toEqual(['rejected', 'A page is missing'])
})

test('reject wants a reason', async () => {
  const file = await buildFile(ann)
  for (const [reason, words] of [
    [[], '--reason'],
    [['--reason', ' '], 'needs a reason'],
  ] as const) {
    expectRefusal(await pending(['reject', `id:${file.id}`, ...reason]), 2, words)
  }
  expect(await statusOf(file)).toEqual(['pending', null])
})

test("what is decided stays so, and the terminal may decide on an administrator's file", async () => {
  const file = await buildFile(admin, { name: 'own.txt' })
  expect((await pending(['approve', 'admin:/own.txt', '--comment', 'Fine'])).code).toBe(0)
  expectRefusal(await pending(['reject', `id:${file.id}`, '--reason', 'Too late']), 5, 'not waiting')
})

test.each([
  ['ann:/nothing.txt', 4, "There is no file 'ann:/nothing.txt'"],
  ['nobody:/a.txt', 4, "There is no user 'nobody'"],
  ['id:999999', 4, "There is no file 'id:999999'"],
  ['ann:/Folder', 4, "There is no file 'ann:/Folder'"],
  ['may.txt', 2, 'neither like id:42 nor like user:/path'],
])('%s ends with %i', async (name, code, words) => {
  if (name === 'ann:/Folder') await buildFolder(ann, 'Folder')
  expectRefusal(await pending(['approve', name]), code, words)
})
