/** `filestore admin pending …` beside a server that uses the same data. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { listPending } from '../../src/api/validation.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
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

test('list prints the same files as the API, under names that approve accepts', async () => {
  expect(await pending(['list'])).toEqual({ code: 0, stdout: '', stderr: 'No file waits' })
  const folder = await buildFolder(ann, 'Reports')
  const file = await buildFile(ann, { name: 'may.txt', parent_id: folder.id })
  expect(await readJson(server, ['pending', 'list'])).toEqual(await admin.call(listPending, {}))
  expect((await pending(['list'])).stdout).toMatch(/^ *\d+ +\d+ Bytes +\S+ \S+ +ann:\/Reports\/may\.txt$/m)
  const approved = await pending(['approve', 'ann:/Reports/may.txt'])
  const content = `${file.size} Bytes, SHA-256 ${file.sha256}`
  expect(approved).toEqual({ code: 0, stdout: `/Reports/may.txt was approved: ${content}`, stderr: '' })
  expect(await statusOf(file)).toEqual(['approved', null])
})

test('reject stores the reason for the owner, and prints the file', async () => {
  const file = await buildFile(ann)
  const args = ['pending', 'reject', `id:${file.id}`, '--reason', 'A page is missing']
  const rejected = { id: file.id, validation_status: 'rejected', validation_comment: 'A page is missing' }
  expect(await readJson(server, args)).toMatchObject(rejected)
  expect(await statusOf(file)).toEqual(['rejected', 'A page is missing'])
})

test('approve and reject process several files one by one, and end with the code of the first failure', async () => {
  const files = [await buildFile(ann), await buildFile(ann)]
  const names = ['id:999999', ...files.map(({ id }) => `id:${id}`), 'may.txt']
  const outcome = await pending(['approve', ...names])
  expect(outcome.code).toBe(4)
  expect(outcome.stdout.split('\n')).toHaveLength(2)
  expect(outcome.stderr).toMatch(
    /^error: id:999999: There is no file.*\nerror: may\.txt: .*\nerror: 2 of 4 files failed$/,
  )
  for (const file of files) expect(await statusOf(file)).toEqual(['approved', null])
  const more = [await buildFile(ann), await buildFile(ann)]
  const args = ['pending', 'reject', ...more.map(({ id }) => `id:${id}`), '--reason', 'No']
  expect(await readJson(server, args)).toMatchObject(more.map(({ id }) => ({ id, validation_status: 'rejected' })))
})

test('--sha256 refuses a decision when the content has changed', async () => {
  const seen = await buildFile(ann, { name: 'swap.txt' })
  await buildFile(ann, { name: 'swap.txt', on_conflict: 'replace' })
  const approve = (hash: string | null, ...more: string[]) =>
    pending(['approve', `id:${seen.id}`, ...more, '--sha256', String(hash)])
  expectRefusal(await approve(seen.sha256), 5, '--sha256: This file has changed since you looked at it')
  expectRefusal(await approve('abc'), 2, '--sha256: Expected 64 hex digits')
  expectRefusal(await approve(seen.sha256, 'id:1'), 2, 'a single file')
  expect(await statusOf(seen)).toEqual(['pending', null])
  const listed = (await readJson(server, ['pending', 'list'])) as { id: number; sha256: string }[]
  expect((await approve(listed.find(({ id }) => id === seen.id)?.sha256 ?? '')).code).toBe(0)
})

test('a username with a colon is understood, and an ambiguous name is refused', async () => {
  const odd = await buildUser(server, { username: 'ann:/x' })
  const file = await buildFile(odd, { name: 'odd.txt' })
  expect((await pending(['approve', 'ann:/x:/odd.txt'])).code).toBe(0)
  const folder = await buildFolder(ann, 'x:')
  const [twin, other] = [
    await buildFile(odd, { name: 'twin.txt' }),
    await buildFile(ann, { name: 'twin.txt', parent_id: folder.id }),
  ]
  expectRefusal(await pending(['approve', 'ann:/x:/twin.txt']), 2, `id:${other.id} or id:${twin.id}`)
  expect((await odd.call(getFile, { id: file.id })).file.validation_status).toBe('approved')
})

test('reject needs a reason', async () => {
  const file = await buildFile(ann)
  for (const [reason, words] of [
    [[], '--reason'],
    [['--reason', ' '], 'needs a reason'],
  ] as const) {
    expectRefusal(await pending(['reject', `id:${file.id}`, ...reason]), 2, words)
  }
  expect(await statusOf(file)).toEqual(['pending', null])
})

test("a decision is final, and the terminal may decide on an administrator's file", async () => {
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
])('approve %s ends with code %i', async (name, code, words) => {
  if (name === 'ann:/Folder') await buildFolder(ann, 'Folder')
  expectRefusal(await pending(['approve', name]), code, words)
})
