/** The questions that the client asks at a terminal. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { openTerminal, runCli, talk } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('login asks for name and password, and does not show the password', async () => {
  const user = await buildUser(server, { password: 'not to be seen' })
  const terminal = await openTerminal()
  const { exitCode, screen } = await talk(
    terminal,
    ['login', server.url],
    [
      ['Username: ', `${user.username}\r`],
      ['Password: ', `${user.password}\r`],
    ],
  )
  expect(exitCode).toBe(0)
  expect(screen).toContain(`Signed in to ${server.url} as ${user.username}`)
  expect(screen).not.toContain('not to be seen')
  expect((await runCli(terminal, ['whoami'])).stdout).toContain(user.username)
})

test('Ctrl-C at the password ends with code 130, and the end of input with code 2', async () => {
  for (const [key, code] of [['\u0003', 130] as const, ['\u0004', 2] as const]) {
    const login = ['login', server.url, '--username', 'somebody']
    const { exitCode } = await talk(await openTerminal(), login, [['Password: ', key]])
    expect(exitCode).toBe(code)
  }
})

test.each([
  ['Ctrl-C', '\u0003', 130],
  ['the end of input', '\u0004', 2],
])('%s at a question ends its line before the error message', async (_what, key, code) => {
  const { exitCode, screen } = await talk(await openTerminal(), ['login', server.url], [['Username: ', key]])
  expect(exitCode).toBe(code)
  expect(screen).toMatch(/Username: [^\n]*\nerror: /)
})

test('rm --permanent asks first, escapes names, and deletes only after a yes', async () => {
  const { user, terminal } = await openUserTerminal(server)
  const file = await buildFile(user, { name: 'gone.txt' })
  const args = ['rm', '--permanent', `id:${file.id}`]
  for (const answer of ['n\r', '\r', '\u0003']) {
    const { exitCode } = await talk(terminal, args, [['[y/N]', answer]])
    expect(exitCode).toBe(130)
    expect((await user.call(listFiles, {})).total).toBe(1)
  }
  expect((await talk(terminal, [...args, '/x\u001b[2Jy'], [['x\\x1b[2Jy', 'n\r']])).exitCode).toBe(130)
  expect((await talk(terminal, args, [['[y/N]', 'y\r']])).exitCode).toBe(0)
  expect((await user.call(listFiles, {})).total).toBe(0)
})
