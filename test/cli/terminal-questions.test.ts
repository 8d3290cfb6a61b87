/** What the client asks a person at a terminal. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildUser } from '../support/factories.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openTerminal, runCli, startOnTty, type Terminal } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Types each answer when its question stands on the screen. */
async function talk(terminal: Terminal, args: string[], answers: [question: string, answer: string][]) {
  const running = startOnTty(terminal, args)
  let screen = ''
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
  })
  for (const [question, answer] of answers) {
    await vi.waitFor(() => expect(screen).toContain(question), { timeout: 10_000 })
    running.stdin.write(answer)
  }
  const { exitCode, stdout } = await running
  return { exitCode, screen: stdout }
}

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

test('Ctrl-C at the password ends with 130, the end of input with 2', async () => {
  for (const [key, code] of [['\u0003', 130] as const, ['\u0004', 2] as const]) {
    const login = ['login', server.url, '--username', 'somebody']
    const { exitCode } = await talk(await openTerminal(), login, [['Password: ', key]])
    expect(exitCode).toBe(code)
  }
})
