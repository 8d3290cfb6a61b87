/** `filestore admin group …`, `space …`, `share …` and keys for one folder, beside a server on the same data. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { listGroups } from '../../src/api/groups.ts'
import { listReceived } from '../../src/api/shares.ts'
import { listSpaces } from '../../src/api/spaces.ts'
import { trashFile } from '../../src/api/trash.ts'
import { openClient, signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildTeam, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, readJson, runOn } from './administration.ts'

let server: TestServer
let admin: TestClient
let ann: BuiltUser
let bob: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  ann = await buildUser(server, { username: 'ann' })
  bob = await buildUser(server, { username: 'bob' })
})
afterAll(() => server.close())

const run = (...args: string[]) => runOn(server, ['admin', ...args])
const findGroup = async (name: string) => (await admin.call(listGroups, {})).groups.find(group => group.name === name)
const findTeam = async (name: string) =>
  (await admin.call(listSpaces, { all: 'true' })).spaces.find(space => space.name === name)

test('groups are made, renamed, filled, emptied and listed', async () => {
  expect((await run('group', 'create', 'Class 7b', 'ann')).stdout).toBe('Group Class 7b was created')
  expect((await run('group', 'add', 'class 7B', 'bob', `id:${ann.id}`)).stdout).toBe('Group Class 7b has 2 members')
  expect((await run('group', 'rename', 'Class 7b', 'Class 8b')).stdout).toBe('The group is called Class 8b')
  expect((await run('group', 'show', 'Class 8b')).stdout).toMatch(/^Members +ann, bob$/m)
  expect((await run('group', 'remove', 'Class 8b', 'ann')).stdout).toBe('Group Class 8b has 1 member')
  expect(await readJson(server, ['group', 'ls'])).toEqual((await admin.call(listGroups, {})).groups)
  expect((await run('group', 'ls')).stdout).toMatch(/^ *\d+ +listed +1 +0 +Class 8b$/m)
  expectRefusal(await run('group', 'add', 'Class 8b', 'nobody'), 4, "There is no user 'nobody'")
  expectRefusal(await run('group', 'create', 'CLASS 8B'), 5, 'is already taken')
  expectRefusal(await run('group', 'rename', 'Everyone', 'All'), 5, 'cannot be changed')
})

test('a group that has shares is deleted only with them', async () => {
  await run('group', 'create', 'Parents', 'bob')
  const id = (await findGroup('Parents'))?.id ?? 0
  await buildShare(ann, await buildFolder(ann), { group_id: id }, 'view')
  expectRefusal(await run('group', 'delete', 'Parents', '--yes'), 5, 'give --shares delete')
  expectRefusal(await run('group', 'delete', 'Parents', '--shares', 'delete'), 2, 'use --yes')
  expect((await run('group', 'delete', 'Parents', '--shares', 'delete', '--yes')).stdout).toBe(
    'Group Parents was deleted',
  )
  expect(await findGroup('Parents')).toBeUndefined()
  expect((await bob.call(listReceived, {})).shares).toEqual([])
})

test('team folders are made, changed and deleted', async () => {
  expectRefusal(await run('space', 'create', 'Choir'), 2, 'Say who manages it')
  const made = await run('space', 'create', 'Choir', '--manager', 'ann', '--quota', '2GB')
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Managers +ann$/m) })
  expectRefusal(await run('space', 'edit', 'Choir'), 2, 'Nothing to change')
  await run('space', 'edit', 'Choir', '--name', 'Big choir', '--manager', 'ann', '--manager', 'bob', '--quota', '3GB')
  const team = await findTeam('Big choir')
  expect(team).toMatchObject({ storage_quota: 3 * 1024 ** 3, managers: [{ username: 'ann' }, { username: 'bob' }] })
  expect(await readJson(server, ['space', 'ls'])).toEqual([team])
  expect((await run('space', 'ls')).stdout).toMatch(/^ *\d+ +2 +0 Bytes of 3\.00 GB +Big choir +ann, bob$/m)
  await buildFile(ann, { parent_id: team?.folder_id })
  expectRefusal(await run('space', 'delete', 'Big choir', '--yes'), 5, 'give --files delete')
  const gone = await run('space', 'delete', `id:${team?.id}`, '--files', 'delete', '--yes')
  expect(gone.stdout).toBe('Team folder Big choir was deleted')
  expect(await findTeam('Big choir')).toBeUndefined()
  expect(await run('space', 'ls')).toEqual({ code: 0, stdout: '', stderr: 'There are no team folders' })
})

test('two team folders of one name are told apart by their ids', async () => {
  const [one, two] = [await buildTeam(admin, ann, 'Twin'), await buildTeam(admin, ann, 'Twin')]
  expectRefusal(await run('space', 'edit', 'Twin', '--quota', '1GB'), 2, `say id:${one.id} or id:${two.id}`)
  for (const { id } of [one, two]) expect((await run('space', 'delete', `id:${id}`, '--yes')).code).toBe(0)
})

test('shares are listed with their items, and ended', async () => {
  const folder = await buildFolder(ann, 'Reports')
  const share = await buildShare(ann, await buildFolder(ann, 'May', folder.id), bob, 'edit')
  const team = await buildTeam(admin, ann, 'Board')
  expect((await run('share', 'ls', '--user', 'bob')).stdout).toMatch(
    new RegExp(`^ *${share.id} +edit +works +never +bob +ann:/Reports/May$`, 'm'),
  )
  expect((await run('share', 'ls')).stdout).toMatch(/manage +works +never +ann +@Board$/m)
  expect(await readJson(server, ['share', 'ls', '--user', 'bob'])).toMatchObject([
    { id: share.id, item: 'ann:/Reports/May', who: { kind: 'user', name: 'bob' }, level: 'edit', works: true },
  ])
  expectRefusal(await run('share', 'rm', String(share.id)), 2, 'use --yes')
  expect((await run('share', 'rm', String(share.id), '--yes')).stdout).toBe(
    'bob has no access to ann:/Reports/May by this share any more',
  )
  expect((await bob.call(listReceived, {})).shares).toEqual([])
  const [managing] = (await readJson(server, ['share', 'ls', '--user', 'ann'])) as { id: number }[]
  expectRefusal(await run('share', 'rm', String(managing?.id), '--yes'), 5, 'needs an active manager')
  expectRefusal(await run('share', 'rm', '999999', '--yes'), 4, 'Share not found')
  await run('space', 'delete', `id:${team.id}`, '--yes')
})

test('the only manager of a team folder is deleted only if another one takes over', async () => {
  const leader = await buildUser(server, { username: 'leader' })
  const team = await buildTeam(admin, leader, 'Band')
  expectRefusal(await run('user', 'delete', 'leader', '--yes'), 5, "the only manager of 'Band': give --teams-to <user>")
  expect((await run('user', 'delete', 'leader', '--teams-to', 'bob', '--yes')).code).toBe(0)
  expect(await findTeam('Band')).toMatchObject({ id: team.id, managers: [{ username: 'bob' }] })
})

test('user disable names the team folders that nobody manages then', async () => {
  await buildTeam(admin, await buildUser(server, { username: 'lea' }), 'Lea’s choir')
  expect((await run('user', 'disable', 'lea')).stdout).toBe(
    "User lea is disabled. No active user manages 'Lea’s choir' now: admin space edit <space> --manager <user> appoints one",
  )
})

describe('a key for one folder', () => {
  test('reaches this folder alone, and the list of keys says when it is gone', async () => {
    const folder = await buildFolder(ann, 'Scans')
    await buildFile(ann, { parent_id: folder.id, name: 'a.pdf' })
    const args = ['key', 'create', 'scanner', '--user', 'ann', '--folder', '/Scans', '--permission', 'files:read']
    const made = (await readJson(server, args)) as { key_id: string; secret: string }
    expect(made).toMatchObject({ scope_id: folder.id, folder: 'ann:/Scans' })
    const script = openClient(server.url, { 'x-api-key-id': made.key_id, 'x-api-secret': made.secret })
    expect((await script.call(listFiles, {})).files.map(({ name }) => name)).toEqual(['a.pdf'])
    const list = async () => (await run('key', 'list', '--user', 'ann')).stdout
    expect(await list()).toMatch(/ann +ann:\/Scans +scanner$/m)
    await ann.call(trashFile, { id: folder.id })
    expect(await list()).toMatch(/ann +gone +scanner$/m)
  })

  test.each([
    ['a folder that is not there', '/Nowhere', 'files:read', 4, 'not found'],
    ['a permission about no folder', '/', 'tags:read', 2, 'permission'],
  ])('is refused for %s', async (_what, path, permission, code, words) => {
    const folder = path === '/' ? `id:${(await buildFolder(ann)).id}` : path
    const args = ['key', 'create', 'k', '--user', 'ann', '--folder', folder, '--permission', permission]
    expectRefusal(await run(...args), code, words)
  })

  test("is refused for another user's folder", async () => {
    const foreign = await buildFolder(bob)
    const args = ['key', 'create', 'k', '--user', 'ann', '--folder', `id:${foreign.id}`, '--permission', 'files:read']
    expectRefusal(await run(...args), 4, 'Folder not found')
  })
})
