/** Signing in and out from the terminal. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteApiKey, listApiKeys } from '../../src/api/keys.ts'
import { type BuiltUser, buildKey, buildUser, userRolePermissions } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { openTerminal, runCli, type Terminal } from './terminal.ts'

/** Sorted, as the server returns them. */
const allPermissions = [...userRolePermissions].sort()

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const logIn = (terminal: Terminal, user: BuiltUser, ...more: string[]) =>
  runCli(terminal, ['login', server.url, '--username', user.username, '--password-stdin', ...more], user.password)

const keysOf = async (user: BuiltUser) => (await user.call(listApiKeys, {})).api_keys

describe('login with a password', () => {
  test("makes a device key with all of the user's permissions, and ends its own session", async () => {
    const user = await buildUser(server)
    const terminal = await openTerminal()
    const { code, stdout, stderr } = await logIn(terminal, user)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain(`as ${user.username}`)
    const keys = await keysOf(user)
    expect(keys).toMatchObject([{ kind: 'device', permissions: allPermissions }])
    const sessions = await server.deps.db.rows('SELECT id FROM sessions WHERE user_id = $1', [user.id])
    expect(sessions).toHaveLength(1)
  })

  test('works on a server whose public address is HTTPS', async () => {
    const secure = await startServer({ publicUrl: 'https://files.example.org' })
    try {
      const args = ['login', secure.url, '--username', 'admin', '--password-stdin']
      expect(await runCli(await openTerminal(), args, secure.adminPassword)).toMatchObject({ code: 0 })
    } finally {
      await secure.close()
    }
  })

  test('keeps the secret in a file that only its owner can read, and prints it nowhere', async () => {
    const terminal = await openTerminal()
    const { stdout, stderr } = await logIn(terminal, await buildUser(server), '--json')
    const file = join(terminal.configFolder, 'default.json')
    const { secret } = JSON.parse(await readFile(file, 'utf8'))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(terminal.configFolder)).mode & 0o777).toBe(0o700)
    expect(secret).toMatch(/^gs_/)
    expect(stdout + stderr).not.toContain(secret)
  })

  test('answers the profile as one JSON document with --json', async () => {
    const user = await buildUser(server)
    const { stdout } = await logIn(await openTerminal(), user, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ username: user.username, permissions: allPermissions })
  })

  test('replaces the first device key when it is repeated', async () => {
    const user = await buildUser(server)
    const terminal = await openTerminal()
    await logIn(terminal, user)
    const [first] = await keysOf(user)
    await logIn(terminal, user)
    const keys = await keysOf(user)
    expect(keys).toHaveLength(1)
    expect(keys[0]?.id).not.toBe(first?.id)
    expect((await runCli(terminal, ['whoami'])).code).toBe(0)
  })

  test('keeps profiles of different names apart', async () => {
    const [one, other] = [await buildUser(server), await buildUser(server)]
    const terminal = await openTerminal()
    await logIn(terminal, one)
    await logIn(terminal, other, '--profile', 'work')
    const names = await Promise.all(
      [[], ['--profile', 'work']].map(async option => {
        const { stdout } = await runCli(terminal, ['whoami', '--json', ...option])
        return JSON.parse(stdout).username
      }),
    )
    expect(names).toEqual([one.username, other.username])
    expect((await readdir(terminal.configFolder)).sort()).toEqual(['default.json', 'work.json'])
  })

  test('ends with code 3 for a wrong password, and stores nothing', async () => {
    const terminal = await openTerminal()
    const args = ['login', server.url, '--username', (await buildUser(server)).username, '--password-stdin']
    const { code, stderr } = await runCli(terminal, args, 'wrong')
    expect({ code, stderr }).toEqual({ code: 3, stderr: 'error: Invalid username or password' })
    await expect(readdir(terminal.configFolder)).rejects.toThrow('ENOENT')
  })

  test('ends with code 3 for an account that must change its password, and makes no key', async () => {
    const user = await buildUser(server, { mustChangePassword: true })
    const { code, stderr } = await logIn(await openTerminal(), user)
    expect(code).toBe(3)
    expect(stderr).toContain('must change its password')
    expect(stderr).toContain(server.url)
    const keys = await server.deps.db.rows('SELECT id FROM api_keys WHERE user_id = $1', [user.id])
    expect(keys).toEqual([])
  })

  test('ends with code 2 without a terminal, and names the option that gives the password', async () => {
    const { code, stderr } = await runCli(await openTerminal(), ['login', server.url, '--username', 'somebody'])
    expect(code).toBe(2)
    expect(stderr).toContain('--password-stdin')
  })
})

describe('login with a key', () => {
  test('stores an existing key, and logout leaves that key on the server', async () => {
    const user = await buildUser(server)
    const key = await buildKey(server, user, ['files:read'])
    const terminal = await openTerminal()
    const { code } = await runCli(terminal, ['login', server.url, '--key-id', key.keyId, '--secret-stdin'], key.secret)
    expect(code).toBe(0)
    expect((await runCli(terminal, ['ls', '--json'])).stdout).toBe('[]')
    expect((await runCli(terminal, ['logout'])).code).toBe(0)
    expect(await keysOf(user)).toHaveLength(1)
  })

  test('ends with code 3 for a wrong secret', async () => {
    const key = await buildKey(server, await buildUser(server), ['files:read'])
    const args = ['login', server.url, '--key-id', key.keyId, '--secret-stdin']
    expect((await runCli(await openTerminal(), args, 'gs_wrong')).code).toBe(3)
  })
})

describe('logout', () => {
  test('deletes the device key on the server and the profile', async () => {
    const user = await buildUser(server)
    const terminal = await openTerminal()
    await logIn(terminal, user)
    const { code, stdout } = await runCli(terminal, ['logout', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ username: user.username, device_key: { name: expect.any(String) } })
    expect(await keysOf(user)).toEqual([])
    expect(await readdir(terminal.configFolder)).toEqual([])
  })

  test('succeeds when the key was already deleted', async () => {
    const user = await buildUser(server)
    const terminal = await openTerminal()
    await logIn(terminal, user)
    const [key] = await keysOf(user)
    await user.call(deleteApiKey, { id: key?.id ?? 0 })
    expect((await runCli(terminal, ['logout'])).code).toBe(0)
    expect(await readdir(terminal.configFolder)).toEqual([])
  })

  test('ends with code 3 without a profile', async () => {
    expect((await runCli(await openTerminal(), ['logout'])).code).toBe(3)
  })
})

describe('whoami', () => {
  test('shows the account of the environment in a table', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const { code, stdout } = await runCli(terminal, ['whoami'])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Username +${user.username}$`, 'm'))
    expect(stdout).toMatch(/^Storage +0 Bytes of 5\.00 GB$/m)
  })

  test('ends with code 3 without credentials, and names the login command', async () => {
    const { code, stderr } = await runCli(await openTerminal(), ['whoami'])
    expect(code).toBe(3)
    expect(stderr).toContain('filestore login')
  })

  test('ends with code 2 when only some of the variables are set, and names the others', async () => {
    const { code, stderr } = await runCli(await openTerminal({ FILESTORE_URL: server.url }), ['whoami'])
    expect(code).toBe(2)
    expect(stderr).toContain('FILESTORE_API_KEY_ID and FILESTORE_API_SECRET')
  })
})
