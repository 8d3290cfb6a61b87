/** Malformed credentials from the environment, from profiles and from login. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listApiKeys } from '../../src/api/keys.ts'
import { buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openTerminal, runCli, spawnCli, type Terminal } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const key = { FILESTORE_URL: 'http://127.0.0.1:9', FILESTORE_API_KEY_ID: 'gk_x', FILESTORE_API_SECRET: 'gs_x' }
const profile = { url: 'http://127.0.0.1:9', username: 'nora', key_id: 'gk_x', secret: 'gs_x', device_key: null }

async function openWith(files: Record<string, string>): Promise<Terminal> {
  const terminal = await openTerminal()
  await mkdir(terminal.configFolder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(terminal.configFolder, name), text)
  return terminal
}

test.each([
  ['FILESTORE_API_SECRET', 'gs_x\ny'],
  ['FILESTORE_API_SECRET', 'gs_\u00fc'],
  ['FILESTORE_API_KEY_ID', 'gk x'],
  ['FILESTORE_URL', 'files.example.org'],
])('an invalid %s ends with code 2, and the message names the variable', async (name, value) => {
  const { code, stderr } = await runCli(await openTerminal({ ...key, [name]: value }), ['ls'])
  expect(code).toBe(2)
  expect(stderr).toContain(name)
  expect(stderr).not.toContain('gs_')
})

test('login with an invalid FILESTORE_URL ends with code 2, and the message names the variable', async () => {
  const terminal = await openTerminal({ FILESTORE_URL: 'files.example.org' })
  const { code, stderr } = await runCli(terminal, ['login', '--username', 'a', '--password-stdin'], 'b')
  expect(code).toBe(2)
  expect(stderr).toContain('FILESTORE_URL')
})

test.each([
  ['a secret of two lines', { ...profile, secret: 'a\nb' }],
  ['an empty key ID', { ...profile, key_id: '' }],
  ['an invalid address', { ...profile, url: 'files.example.org' }],
])('a profile with %s ends with code 3, and the message names the file and the remedy', async (_what, stored) => {
  const terminal = await openWith({ 'default.json': JSON.stringify(stored) })
  const { code, stderr } = await runCli(terminal, ['ls'])
  expect(code).toBe(3)
  expect(stderr).toContain(join(terminal.configFolder, 'default.json'))
  expect(stderr).toContain("run 'filestore login' again")
})

test('a broken default-profile file ends with code 3 until another profile is chosen', async () => {
  const terminal = await openWith({ 'default-profile': '../x y\n', 'work.json': JSON.stringify(profile) })
  const { code, stderr } = await runCli(terminal, ['ls'])
  expect(code).toBe(3)
  expect(stderr).toContain(join(terminal.configFolder, 'default-profile'))
  expect(stderr).toContain("'filestore profiles use'")
  expect((await runCli(terminal, ['profiles', 'use', 'work'])).code).toBe(0)
  expect((await runCli(terminal, ['ls'])).code).toBe(7)
})

test.each([
  ['--secret-stdin', ['--key-id', 'gk_x', '--secret-stdin'], 'gs_\u0001'],
  ['--key-id', ['--key-id', 'gk x', '--secret-stdin'], 'gs_x'],
])('login with an invalid key ends with code 2 (%s)', async (_what, options, secret) => {
  const { code, stderr } = await runCli(await openTerminal(), ['login', server.url, ...options], secret)
  expect(code).toBe(2)
  expect(stderr).toContain('characters that no key has')
})

test('login ends with code 1 when it cannot store the profile, makes no key, and keeps the old profile', async () => {
  const user = await buildUser(server)
  const terminal = await openTerminal()
  const args = ['login', server.url, '--username', user.username, '--password-stdin']
  await runCli(terminal, args, user.password)
  const { api_keys: before } = await user.call(listApiKeys, {})
  const fullDisk = `import fs from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    fs.rename = async () => { throw new Error('no space') }
    syncBuiltinESMExports()`
  const failing = { ...terminal.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fullDisk)}` }
  const { code, stderr } = await spawnCli({ ...terminal, env: failing }, args, user.password)
  expect(code).toBe(1)
  expect(stderr).toContain(`Cannot write ${join(terminal.configFolder, 'default.json')}: no space`)
  expect((await user.call(listApiKeys, {})).api_keys.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(await readdir(terminal.configFolder)).toEqual(['default.json'])
  expect((await runCli(terminal, ['whoami'])).code).toBe(0)
})
