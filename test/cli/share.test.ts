/** Sharing with people, and team folders, from the terminal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listReceived } from '../../src/api/shares.ts'
import { listSpaces } from '../../src/api/spaces.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildFolder, buildGroup, buildShare, buildTeam, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli } from './terminal.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

const openUser = async (options = {}) => {
  const { user, terminal } = await openUserTerminal(server, options)
  return { user, run: (...args: string[]) => runCli(terminal, args) }
}

/** `giver` owns `/Docs/a.txt`; `taker` and the group exist, and nothing is shared yet. */
async function openExample() {
  const giver = await openUser()
  const taker = await openUser()
  const other = await buildUser(server)
  const group = await buildGroup(admin, [taker.user])
  const docs = await buildFolder(giver.user, 'Docs')
  const a = await buildFile(giver.user, { name: 'a.txt', parent_id: docs.id }, 'aaa')
  return { giver, taker, other, group, docs, a }
}

const receivedBy = async (client: TestClient) => (await client.call(listReceived, {})).shares

describe('share', () => {
  test('add gives users and groups a level, and a second time the new one', async () => {
    const { giver, taker, group } = await openExample()
    const { code, stdout } = await giver.run('share', 'add', '/Docs', taker.user.username, `@${group.name}`)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ *ID +LEVEL +UNTIL +WITH +PATH$/m)
    expect(stdout).toMatch(new RegExp(`^ *\\d+ +view +never +${taker.user.username} +/Docs/$`, 'm'))
    expect(stdout).toMatch(new RegExp(`^ *\\d+ +view +never +@${group.name} +/Docs/$`, 'm'))
    const again = ['share', 'add', 'Docs', taker.user.username.toUpperCase(), '--level', 'edit', '--until', '30d']
    const share = JSON.parse((await giver.run(...again, '--json')).stdout)
    expect(share).toMatchObject({ level: 'edit', who: { name: taker.user.username } })
    expect((Date.parse(share.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
    const until = async (text: string) =>
      JSON.parse((await giver.run(...again.slice(0, -1), text, '--json')).stdout).expires_at
    expect(await until('2999-12-31')).toBe('2999-12-31T23:59:59.999Z')
    expect(await until('never')).toBeNull()
  })

  test('ls shows what is given, and for a path who has access and through which folder', async () => {
    const { giver, taker, docs } = await openExample()
    await buildShare(giver.user, docs, taker.user, 'edit')
    expect((await giver.run('share', 'ls')).stdout).toMatch(
      new RegExp(` edit +never +${taker.user.username} +/Docs/$`, 'm'),
    )
    const { stdout } = await giver.run('share', 'ls', '/Docs/a.txt')
    expect(stdout).toMatch(new RegExp(`^ *- +manage +never +works +${giver.user.username} \\(owner\\) +a\\.txt$`, 'm'))
    expect(stdout).toMatch(new RegExp(`^ *\\d+ +edit +never +works +${taker.user.username} +Docs$`, 'm'))
    expect(JSON.parse((await giver.run('share', 'ls', '/Docs', '--json')).stdout)).toHaveLength(2)
    expect((await taker.run('share', 'ls', '@Docs')).code).toBe(3)
    expect((await taker.run('share', 'ls')).stderr).toContain('You share nothing')
  })

  test('rm ends the access of a name or a share by its id', async () => {
    const { giver, taker, group, docs } = await openExample()
    await buildShare(giver.user, docs, taker.user, 'edit')
    const { id } = await buildShare(giver.user, docs, { group_id: group.id }, 'view')
    expect((await giver.run('share', 'rm', '/Docs/a.txt', taker.user.username)).stderr).toContain("folder 'Docs' above")
    const ended = await giver.run('share', 'rm', '/Docs', taker.user.username)
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/ended/) })
    expect(ended.stdout).not.toContain('works')
    expect((await giver.run('share', 'rm', `id:${id}`)).code).toBe(0)
    expect(await receivedBy(taker.user)).toEqual([])
    expect((await giver.run('share', 'rm', '/Docs', taker.user.username)).code).toBe(4)
    expect((await giver.run('share', 'rm', `id:${id}`)).code).toBe(4)
    expect((await giver.run('share', 'rm', '/Docs')).code).toBe(2)
  })

  test('received lists what others share, and marks it as seen', async () => {
    const { giver, taker, docs } = await openExample()
    await buildShare(giver.user, docs, taker.user, 'view')
    const row = new RegExp(`^ *\\d+ +view +${giver.user.username} +\\d{4}-.* +never +@Docs/ \\(new\\)$`, 'm')
    expect((await taker.run('share', 'received')).stdout).toMatch(row)
    expect((await taker.run('share', 'received')).stdout).toMatch(/ @Docs\/$/m)
    expect(JSON.parse((await taker.run('share', 'received', '--json')).stdout)).toMatchObject([{ is_new: false }])
  })

  test('hide and leave work by name or id; a share to a group can only be hidden', async () => {
    const { giver, taker, group, docs, a } = await openExample()
    await buildShare(giver.user, docs, { group_id: group.id }, 'view')
    await buildShare(giver.user, a, taker.user, 'view')
    const refused = await taker.run('share', 'leave', '@Docs', '--yes')
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toContain("'filestore share hide'")
    expect((await taker.run('share', 'hide', '@Docs')).code).toBe(0)
    expect((await taker.run('share', 'received')).stdout).not.toContain('@Docs')
    expect((await taker.run('share', 'received', '--hidden')).stdout).toContain('@Docs/')
    expect((await taker.run('share', 'unhide', 'Docs')).code).toBe(0)
    expect((await taker.run('share', 'leave', 'a.txt')).code).toBe(2)
    expect((await taker.run('share', 'leave', 'a.txt', '--yes')).code).toBe(0)
    expect((await receivedBy(taker.user)).map(({ item }) => item.name)).toEqual(['Docs'])
  })

  test.each([
    ['an unknown user', ['/Docs', 'nobody-here'], 4],
    ['an unknown group', ['/Docs', '@nobody-here'], 4],
    ['an unknown path', ['/none', 'anna'], 4],
    ['the root', ['/', 'anna'], 2],
    ['a wrong level', ['/Docs', 'anna', '--level', 'own'], 2],
    ['a wrong time', ['/Docs', 'anna', '--until', '2026-02-30'], 2],
    ['no name', ['/Docs'], 2],
  ])('add refuses %s', async (_what, args, code) => {
    const { giver } = await openExample()
    expect(await giver.run('share', 'add', ...args)).toMatchObject({ code, stdout: '' })
  })

  test('an unknown name suggests those that are alike', async () => {
    const { giver, taker } = await openExample()
    const part = taker.user.username.slice(0, -1)
    expect((await giver.run('share', 'add', '/Docs', part)).stderr).toContain(`'${taker.user.username}'`)
  })
})

describe('spaces', () => {
  test('an administrator makes a team folder for a manager, who adds and removes members', async () => {
    const boss = await openUser({ role: 'admin' })
    const manager = await openUser()
    const member = await openUser()
    const { username } = manager.user
    const made = await boss.run('spaces', 'create', 'Board', '--quota', '1GB', '--manager', username)
    expect(made.stdout).toMatch(new RegExp(`^ *\\d+ +- +0 Bytes +1\\.00 GB +1 +${username} +@Board/$`, 'm'))
    expect((await manager.run('share', 'add', '@Board', member.user.username, '--level', 'edit')).code).toBe(0)
    expect((await manager.run('spaces', 'ls')).stdout).toMatch(/ manage +0 Bytes +1\.00 GB +2 /m)
    const { stdout } = await manager.run('spaces', 'members', '@Board')
    expect(stdout).toMatch(new RegExp(` manage +never +works +${username} +Board$`, 'm'))
    expect(stdout).toMatch(new RegExp(` edit +never +works +${member.user.username} +Board$`, 'm'))
    expect((await member.run('mkdir', '@Board/Minutes')).code).toBe(0)
    expect((await member.run('spaces', 'members', 'Board')).code).toBe(3)
    expect((await manager.run('share', 'rm', '@Board', member.user.username)).code).toBe(0)
    expect((await member.run('ls', '@Board')).code).toBe(4)
    expect((await manager.run('share', 'rm', '@Board', username)).code).toBe(5)
  })

  test('delete asks, and deletes what is in a team folder only with --with-files', async () => {
    const boss = await openUser({ role: 'admin' })
    const team = await buildTeam(admin, boss.user)
    await boss.run('mkdir', `@${team.name}/x`)
    expect((await boss.run('spaces', 'delete', team.name)).code).toBe(2)
    const refused = await boss.run('spaces', 'delete', team.name, '--yes')
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain('--with-files')
    expect((await boss.run('spaces', 'delete', `id:${team.folder_id}`, '--yes', '--with-files')).code).toBe(0)
    expect((await boss.user.call(listSpaces, {})).spaces).toEqual([])
    expect((await boss.run('spaces', 'ls')).stderr).toContain('You are in no team folder yet')
    expect((await boss.run('spaces', 'ls', '--all', '--json')).stdout).not.toContain(team.name)
    expect((await (await openUser()).run('spaces', 'ls', '--all')).code).toBe(3)
  })
})
