/** `filestore admin audit` beside a server that uses the same data. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChangeEvent, listAudit } from '../../src/api/events.ts'
import { renameFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, readJson, runOn } from './administration.ts'

let server: TestServer
let admin: TestClient
let ann: BuiltUser
let file: FileDetails
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  ann = await buildUser(server, { username: 'ann' })
  file = await buildFile(ann, { name: 'draft.txt' })
  await ann.call(renameFile, { id: file.id, name: 'final \u202etxt.exe' })
})
afterAll(() => server.close())

const audit = (args: readonly string[]) => runOn(server, ['admin', 'audit', ...args])
const readEvents = async (args: readonly string[]) => (await readJson(server, ['audit', ...args])) as ChangeEvent[]

test('admin audit --json prints the same events as the API, newest first', async () => {
  const { events } = await admin.call(listAudit, {})
  expect(events.length).toBeGreaterThan(3)
  expect(await readEvents([])).toEqual(events)
})

test('admin audit shows user, action, item and address, and escapes characters that could deceive a terminal', async () => {
  const { code, stdout } = await audit(['--item', `id:${file.id}`])
  expect(code).toBe(0)
  expect(stdout).not.toContain('\u202e')
  expect(stdout).toContain('final \\u202etxt.exe')
  expect(stdout).toMatch(/^WHEN +WHO +FROM +ACTION +ITEM +DETAIL$/m)
  expect(stdout).toMatch(/^\S+ \S+ +ann +127\.0\.0\.1 +file\.rename +\d+ .*"draft\.txt"/m)
})

test('admin audit filters by user, action, item and time', async () => {
  const acts = async (args: readonly string[]) => (await readEvents(args)).map(({ action }) => action)
  expect(await acts(['--actor', 'ann', '--action', 'file'])).toEqual(['file.rename', 'file.upload'])
  expect(await acts(['--item', String(file.id), '--action', 'file.upload'])).toEqual(['file.upload'])
  expect(await acts(['--action', 'file', '--to', '2020-01-01'])).toEqual([])
  const today = new Date().toISOString().slice(0, 10)
  expect(await acts(['--item', String(file.id), '--from', today, '--to', today])).toContain('file.rename')
  expect(await acts(['--action', 'file', '--from', '2020-01-01T00:00:00+02:00', '--limit', '1'])).toEqual([
    'file.rename',
  ])
})

test('admin audit finds the actions of a renamed user by id, and the actions from the terminal', async () => {
  const gone = await buildUser(server, { username: 'gone' })
  const { id } = await buildFolder(gone, 'Left')
  await gone.call(trashFile, { id })
  await gone.call(deleteFile, { id })
  await runOn(server, ['admin', 'user', 'delete', 'gone', '--yes'])
  const byId = await readEvents(['--actor', `id:${gone.id}`])
  expect(byId.length).toBeGreaterThan(2)
  expect(byId).toEqual(await readEvents(['--actor', 'gone']))
  const [last] = await readEvents(['--actor', 'terminal', '--limit', '1'])
  expect(last).toMatchObject({ action: 'user.delete', detail: { username: 'gone' } })
})

test('admin audit --csv prints all matching events, and escapes formulas and control characters', async () => {
  await buildFile(ann, { name: '=1+1\u202e.txt' })
  const { code, stdout, stderr } = await audit(['--csv', '--actor', 'ann', '--action', 'file'])
  expect([code, stderr]).toEqual([0, ''])
  const [head, ...lines] = stdout.split('\r\n')
  expect(head).toBe('id,at,actor_id,actor_name,key_id,address,action,item_id,detail')
  expect(lines.map(line => line.split(',')[6])).toEqual(['file.upload', 'file.rename', 'file.upload'])
  expect(stdout).not.toContain('\u202e')
  expect((await audit(['--csv', '--limit', '2'])).stdout.split('\r\n')).toHaveLength(3)
  expect((await audit(['--csv', '--actor', `id:${ann.id}`, '--action', 'file'])).stdout).toBe(stdout)
  expectRefusal(await audit(['--csv', '--json']), 2, 'cannot be used with')
})

test('admin audit says when no event matches', async () => {
  expect(await audit(['--actor', 'nobody'])).toEqual({ code: 0, stdout: '', stderr: 'Nothing that fits was done' })
})

test.each([
  [['--action', 'FILE'], '--action: Expected an action such as file.rename'],
  [['--from', 'yesterday'], '--from: Expected an ISO 8601 time'],
  [['--item', 'x'], '--item: Expected a positive whole number'],
  [['--limit', '0'], '--limit'],
])('admin audit refuses %j', async (args, words) => {
  expectRefusal(await audit(args), 2, words)
})
