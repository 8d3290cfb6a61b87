/** The program as a whole: help, an unreachable server, and behaviour that all commands share. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTerminal, runCli } from './terminal.ts'

const commands = [
  'login, logout, whoami, ls, tree, search, stats, upload, download, mkdir, mv, cp, rm'.split(', '),
  'trash ls, trash restore, trash delete, trash empty'.split(', '),
  'tags ls, tags create, tags edit, tags delete, tags add, tags remove'.split(', '),
  'favorites ls, favorites add, favorites remove'.split(', '),
  'keys ls, keys create, keys revoke, pending ls, pending approve, pending reject'.split(', '),
].flat()

test('--help lists every command of the client and the exit codes', async () => {
  const { code, stdout } = await runCli(await openTerminal(), ['--help'])
  expect(code).toBe(0)
  for (const command of commands) expect(stdout).toMatch(new RegExp(`^ {2}${command.split(' ')[0]}\\b`, 'm'))
  for (const exit of [0, 1, 2, 3, 4, 5, 6, 7, 130]) expect(stdout).toMatch(new RegExp(`^ {2}${exit} {2,}\\w`, 'm'))
})

test.each(commands)('the help of %s shows --profile and an example', async command => {
  const { code, stdout } = await runCli(await openTerminal(), [...command.split(' '), '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('--profile <name>')
  expect(stdout).toMatch(new RegExp(`^Examples:\n  .*filestore ${command}`, 'm'))
})

test.each(['', 'trash', 'tags', 'favorites', 'keys', 'pending', 'profiles', 'completion'])(
  "the help of the group 'filestore %s' shows an example",
  async group => {
    const { stdout } = await runCli(await openTerminal(), [group, '--help'].filter(Boolean))
    expect(stdout).toMatch(new RegExp(`^Examples:\\n  filestore ${group}`, 'm'))
  },
)

test('commands that run at once in one process keep their own streams, environments and folders', async () => {
  const names = Array.from({ length: 8 }, (_, number) => `sign-in-${number}`)
  const outcomes = await Promise.all(
    names.map(async name => {
      const terminal = await openTerminal()
      const profile = { url: 'http://127.0.0.1:9', username: name, key_id: 'gk_x', secret: 'gs_x', device_key: null }
      await mkdir(terminal.configFolder, { recursive: true })
      await writeFile(join(terminal.configFolder, `${name}.json`), JSON.stringify(profile))
      const [shown, used, failed] = await Promise.all([
        runCli(terminal, ['profiles', '--json']),
        runCli(terminal, ['profiles', 'use', name]),
        runCli({ ...terminal, env: { ...terminal.env, FILESTORE_URL: name } }, ['login']),
      ])
      return [JSON.parse(shown.stdout)[0].name, shown.code, used.stderr, used.code, failed.stderr, failed.code]
    }),
  )
  const problem = 'error: FILESTORE_URL is no address such as https://files.example.org; set it anew'
  expect(outcomes).toEqual(
    names.map(name => [name, 0, `'${name}' is the default now: ${name} at http://127.0.0.1:9`, 0, problem, 2]),
  )
})

test('an unknown command ends with code 2', async () => {
  expect((await runCli(await openTerminal(), ['sell'])).code).toBe(2)
})

test('an escape sequence in a refused argument is printed escaped', async () => {
  const { code, stderr } = await runCli(await openTerminal(), ['search', 'abc', '--min-size', '\u001b[2J'])
  expect(code).toBe(2)
  expect(stderr).toContain('\\x1b[2J')
  expect(stderr).not.toContain('\u001b')
})

test.each([
  ['a port on which nothing listens', 'http://127.0.0.1:9'],
  ['an unknown host', 'http://nowhere.invalid'],
])('a command for %s ends with code 7 within ten seconds', async (_what, url) => {
  const key = { FILESTORE_URL: url, FILESTORE_API_KEY_ID: 'gk_x', FILESTORE_API_SECRET: 'gs_x' }
  const terminal = await openTerminal(key)
  const startedAt = Date.now()
  const { code, stdout, stderr } = await runCli(terminal, ['ls'])
  expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
  expect(stderr).toContain(url)
  expect(Date.now() - startedAt).toBeLessThan(10_000)
})

test.each(['ftp://files.example.org', 'files.example.org', 'http://name:word@files.example.org'])(
  'login refuses %s as an address',
  async url => {
    const { code } = await runCli(await openTerminal(), ['login', url, '--username', 'a', '--password-stdin'], 'b')
    expect(code).toBe(2)
  },
)
