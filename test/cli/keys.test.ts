/** API keys and stored profiles from the terminal. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey, deleteApiKey, listApiKeys } from '../../src/api/keys.ts'
import { runOn } from '../commands/administration.ts'
import { buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { openTerminal, runCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const create = ['keys', 'create', 'backup', '--permission', 'files:read']

/** The user's script keys. The key that the terminal itself uses is a device key. */
const scriptKeys = async (user: Awaited<ReturnType<typeof buildUser>>) =>
  (await user.call(listApiKeys, {})).api_keys.filter(key => key.kind === 'script')

describe('keys', () => {
  test('create prints the secret once, and the new key works', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const { code, stdout, stderr } = await runCli(terminal, [...create, '--permission', 'files:search'])
    expect(code).toBe(0)
    expect(stderr).toContain('this once')
    const [, secret = ''] = /^Secret +(gs_\S+)$/m.exec(stdout) ?? []
    const [key] = await scriptKeys(user)
    expect(key).toMatchObject({ name: 'backup', permissions: ['files:read', 'files:search'], expires_at: null })
    const env = { FILESTORE_URL: server.url, FILESTORE_API_KEY_ID: key?.key_id ?? '', FILESTORE_API_SECRET: secret }
    const script = await openTerminal(env)
    expect((await runCli(script, ['ls', '--json'])).stdout).toBe('[]')
    expect((await runCli(script, ['mkdir', '/x'])).code).toBe(3)
    expect((await runCli(terminal, ['keys', 'ls', '--json'])).stdout).not.toContain(secret)
  })

  test('create accepts an expiry and rate limits, and prints the key as one JSON document', async () => {
    const { terminal } = await openUserTerminal(server)
    const limits = ['--expires-in', '7', '--per-minute', '5', '--per-hour', '50', '--per-day', '500']
    const { stdout } = await runCli(terminal, [...create, ...limits, '--json'])
    const key = JSON.parse(stdout)
    expect(key).toMatchObject({ rate_limit_per_minute: 5, rate_limit_per_hour: 50, rate_limit_per_day: 500 })
    expect(key.secret).toMatch(/^gs_/)
    expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBe(7 * 24 * 60 * 60 * 1000)
  })

  test('create --folder makes a key whose root is that folder, and ls shows the folder', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const scans = await buildFolder(user, 'Scans')
    await buildFile(user, { name: 'a.txt', parent_id: scans.id }, 'a')
    const { stdout } = await runCli(terminal, [...create, '--folder', '/Scans'])
    expect(stdout).toMatch(/^Folder +\/Scans$/m)
    const [, keyId = ''] = /^Key ID +(gk_\S+)$/m.exec(stdout) ?? []
    const [, secret = ''] = /^Secret +(gs_\S+)$/m.exec(stdout) ?? []
    const env = { FILESTORE_URL: server.url, FILESTORE_API_KEY_ID: keyId, FILESTORE_API_SECRET: secret }
    expect((await runCli(await openTerminal(env), ['ls'])).stdout).toMatch(/ a\.txt$/m)
    expect((await runCli(terminal, ['keys', 'ls'])).stdout).toMatch(/ never +\/Scans +backup$/m)
    expect((await runCli(terminal, [...create, '--folder', '/'])).code).toBe(2)
    expect((await runCli(terminal, [...create, '--folder', '/none'])).code).toBe(4)
    expect(
      (await runCli(terminal, ['keys', 'create', 'x', '--permission', 'tags:read', '--folder', '/Scans'])).code,
    ).toBe(2)
  })

  test('ls shows the kind and state of each key', async () => {
    const { terminal } = await openUserTerminal(server)
    await runCli(terminal, create)
    const { stdout } = await runCli(terminal, ['keys', 'ls'])
    expect(stdout).toMatch(/^ *ID +KIND +STATE +LAST USED +EXPIRES +FOLDER +NAME$/m)
    expect(stdout).toMatch(/^ *\d+ +script +active +never +never +- +backup$/m)
    expect(stdout).toMatch(/^ *\d+ +device +active +\d{4}-/m)
  })

  test('revoke accepts a name, a key ID or an id, and needs --yes without a terminal', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const [one, two, three] = await Promise.all([0, 1, 2].map(() => buildKey(server, user, ['files:read'])))
    const names = [
      `id:${one?.id}`,
      two?.keyId ?? '',
      (await scriptKeys(user)).find(key => key.id === three?.id)?.name ?? '',
    ]
    expect((await runCli(terminal, ['keys', 'revoke', ...names])).code).toBe(2)
    expect(await scriptKeys(user)).toHaveLength(3)
    expect((await runCli(terminal, ['keys', 'revoke', '--yes', ...names])).code).toBe(0)
    expect(await scriptKeys(user)).toEqual([])
  })

  test('revoke by a name that two keys have lists their ids and revokes neither', async () => {
    const { user, terminal } = await openUserTerminal(server)
    await runCli(terminal, create)
    await runCli(terminal, create)
    const { code, stderr } = await runCli(terminal, ['keys', 'revoke', '--yes', 'backup'])
    expect(code).toBe(2)
    for (const { id } of await scriptKeys(user)) expect(stderr).toContain(`id:${id}`)
    expect(await scriptKeys(user)).toHaveLength(2)
  })

  test('rename gives a key a new name, and the old name finds nothing', async () => {
    const { user, terminal } = await openUserTerminal(server)
    await runCli(terminal, create)
    const { code, stdout } = await runCli(terminal, ['keys', 'rename', 'backup', 'nightly', '--json'])
    expect(code).toBe(0)
    const [key] = await scriptKeys(user)
    expect(JSON.parse(stdout)).toEqual(key)
    expect(key?.name).toBe('nightly')
    expect((await runCli(terminal, ['keys', 'rename', 'backup', 'x'])).code).toBe(4)
  })

  test('a disabled key is refused until it is enabled', async () => {
    const { terminal } = await openUserTerminal(server)
    const key = JSON.parse((await runCli(terminal, [...create, '--json'])).stdout)
    const script = await openTerminal({
      FILESTORE_URL: server.url,
      FILESTORE_API_KEY_ID: key.key_id,
      FILESTORE_API_SECRET: key.secret,
    })
    const { stdout } = await runCli(terminal, ['keys', 'disable', 'backup'])
    expect(stdout).toMatch(/^ *\d+ +script +disabled +never +never +- +backup$/m)
    expect((await runCli(script, ['ls'])).code).toBe(3)
    expect((await runCli(terminal, ['keys', 'enable', 'backup'])).stdout).toMatch(/ active /)
    expect((await runCli(script, ['ls'])).code).toBe(0)
  })

  test("a key is shown as 'maker ended' while the key that made it is disabled", async () => {
    const { user, terminal } = await openUserTerminal(server)
    const maker = await buildKey(server, user, ['files:read', 'api-keys:manage'])
    await maker.call(createApiKey, { name: 'made', permissions: ['files:read'] })
    const stateOf = (text: string) => /^.*script +(\w+(?: \w+)?) +never +never +- +made$/m.exec(text)?.[1]
    expect(stateOf((await runCli(terminal, ['keys', 'ls'])).stdout)).toBe('active')
    await runCli(terminal, ['keys', 'disable', maker.keyId])
    expect(stateOf((await runCli(terminal, ['keys', 'ls'])).stdout)).toBe('maker ended')
    const listed = await runOn(server, ['admin', 'key', 'list'])
    expect(listed.stdout).toMatch(/^gk_\w+ +maker ended +never +[\w-]+ +made$/m)
    await runCli(terminal, ['keys', 'enable', maker.keyId])
    expect(stateOf((await runCli(terminal, ['keys', 'ls'])).stdout)).toBe('active')
  })

  test.each([
    ['a key without permissions', ['keys', 'create', 'backup'], 2],
    ['an unknown permission', ['keys', 'create', 'backup', '--permission', 'files:own'], 2],
    ['a permission that the user lacks', ['keys', 'create', 'backup', '--permission', 'users:manage'], 3],
    ['an expiry that is no number', [...create, '--expires-in', 'soon'], 2],
    ['an unknown key', ['keys', 'revoke', '--yes', 'gk_none'], 4],
  ])('refuse %s', async (_what, args, code) => {
    const { user, terminal } = await openUserTerminal(server)
    const outcome = await runCli(terminal, args)
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' })
    expect(await scriptKeys(user)).toEqual([])
  })

  test('every command with a revoked key ends with code 3, and names the login command', async () => {
    const { user, terminal } = await openUserTerminal(server)
    for (const { id } of (await user.call(listApiKeys, {})).api_keys) await user.call(deleteApiKey, { id })
    for (const args of [['tree'], ['mkdir', '/x'], ['trash', 'ls'], ['tags', 'ls'], ['keys', 'ls'], ['stats']]) {
      const { code, stdout, stderr } = await runCli(terminal, args)
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expect(stderr).toContain('filestore login')
    }
  })
})

describe('profiles', () => {
  const logIn = async (terminal: Awaited<ReturnType<typeof openTerminal>>, ...more: string[]) => {
    const user = await buildUser(server)
    const args = ['login', server.url, '--username', user.username, '--password-stdin', ...more]
    await runCli(terminal, args, user.password)
    return user
  }

  test('are listed with their servers and users, but without secrets', async () => {
    const terminal = await openTerminal()
    const [first, work] = [await logIn(terminal), await logIn(terminal, '--profile', 'work')]
    const { code, stdout } = await runCli(terminal, ['profiles', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual([
      { name: 'default', url: server.url, username: first.username, is_default: true },
      { name: 'work', url: server.url, username: work.username, is_default: false },
    ])
    const table = await runCli(terminal, ['profiles', 'ls'])
    expect(table.stdout).toMatch(new RegExp(`^yes +default +${server.url} +${first.username}$`, 'm'))
    const { secret } = JSON.parse(await readFile(join(terminal.configFolder, 'work.json'), 'utf8'))
    expect(stdout + table.stdout).not.toContain(secret)
  })

  test('use sets the profile of every command without --profile, login and logout included', async () => {
    const terminal = await openTerminal()
    const [first, work] = [await logIn(terminal), await logIn(terminal, '--profile', 'work')]
    expect((await runCli(terminal, ['profiles', 'use', 'work'])).code).toBe(0)
    expect((await runCli(terminal, ['whoami'])).stdout).toContain(work.username)
    expect((await runCli(terminal, ['whoami', '--profile', 'default'])).stdout).toContain(first.username)
    expect((await runCli(terminal, ['logout'])).code).toBe(0)
    expect(await readdir(terminal.configFolder)).not.toContain('work.json')
    const again = await logIn(terminal)
    expect((await runCli(terminal, ['whoami', '--profile', 'work'])).stdout).toContain(again.username)
  })

  test('report an empty list, an unknown profile and an unreadable file', async () => {
    const terminal = await openTerminal()
    expect((await runCli(terminal, ['profiles'])).stderr).toContain('filestore login')
    expect((await runCli(terminal, ['profiles', 'use', 'work'])).code).toBe(4)
    expect((await runCli(terminal, ['profiles', 'use', '../x'])).code).toBe(2)
    await logIn(terminal)
    await writeFile(join(terminal.configFolder, 'broken.json'), '{')
    const { code, stdout, stderr } = await runCli(terminal, ['profiles', '--json'])
    expect({ code, count: JSON.parse(stdout).length }).toEqual({ code: 0, count: 1 })
    expect(stderr).toContain('broken.json')
  })
})
