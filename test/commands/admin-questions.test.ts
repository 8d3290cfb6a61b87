/** What `filestore admin` asks a person at a terminal. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTerminal, talk } from '../cli/terminal.ts'
import { signIn } from '../support/client.ts'
import { buildFile, buildUser, turnSettings } from '../support/factories.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { dataFlags, runOn } from './administration.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const answerTo = async (args: string[], answers: [question: string, answer: string][]) =>
  talk(await openTerminal(), ['admin', ...args, ...dataFlags(server)], answers)

test('create and user add ask for what is not given, and show no password', async () => {
  const secret = 'not to be seen'
  const passwords: [string, string][] = [
    ['Password: ', `${secret}\r`],
    ['Once more: ', `${secret}\r`],
  ]
  const boss = await answerTo(['create'], [['Username: ', 'boss\r'], ['Email: ', 'boss@example.org\r'], ...passwords])
  expect(boss.exitCode).toBe(0)
  const ann = await answerTo(
    ['user', 'add', 'ann'],
    [
      ['Email: ', 'ann@example.org\r'],
      ['Password (', `${secret}\r`],
      ['Once more: ', `${secret}\r`],
    ],
  )
  expect(ann.exitCode).toBe(0)
  for (const { screen } of [boss, ann]) expect(screen).not.toContain(secret)
  await signIn(server.url, 'boss', secret)
  await signIn(server.url, 'ann', secret)
})

test('user add makes a password where none is typed', async () => {
  const { exitCode, screen } = await answerTo(
    ['user', 'add', 'tim', '--email', 'tim@example.org'],
    [['Password (', '\r']],
  )
  expect(exitCode).toBe(0)
  const [, password = ''] = /told this once: (\S+)/.exec(screen) ?? []
  await signIn(server.url, 'tim', password)
})

test('two different passwords change nothing, nor does one for nobody', async () => {
  const bob = await buildUser(server, { username: 'bob' })
  const differing = await answerTo(
    ['user', 'set-password', 'bob'],
    [
      ['Password: ', 'one of them\r'],
      ['Once more: ', 'the other\r'],
    ],
  )
  expect(differing.exitCode).toBe(2)
  expect(differing.screen).toContain('The two passwords differ')
  await signIn(server.url, 'bob', bob.password)
  const nobody = await answerTo(['user', 'set-password', 'nobody'], [])
  expect(nobody.exitCode).toBe(4)
  expect(nobody.screen).not.toContain('Password')
})

test('user delete says what goes, and does it for yes alone', async () => {
  const eve = await buildUser(server, { username: 'eve' })
  await buildFile(eve, {}, Buffer.alloc(2048, 'e'))
  const args = ['user', 'delete', 'eve', '--files', 'delete']
  for (const answer of ['n\r', '\r', '\u0003']) {
    expect((await answerTo(args, [['[y/N]', answer]])).exitCode).toBe(130)
    expect((await runOn(server, ['admin', 'user', 'show', 'eve'])).code).toBe(0)
  }
  const { exitCode, screen } = await answerTo(args, [['[y/N]', 'y\r']])
  expect(exitCode).toBe(0)
  expect(screen).toContain('Delete eve and all their files (2.00 KB)?')
  expect((await runOn(server, ['admin', 'user', 'show', 'eve'])).code).toBe(4)
})

test('pending reject asks for the reason', async () => {
  await turnSettings(await signIn(server.url, server.adminName, server.adminPassword), { validation_enabled: true })
  const user = await buildUser(server)
  const file = await buildFile(user)
  const { exitCode } = await answerTo(['pending', 'reject', `id:${file.id}`], [['Reason: ', 'Not for us\r']])
  expect(exitCode).toBe(0)
  const response = await user.raw(`/api/files/${file.id}`)
  expect(await response.json()).toMatchObject({ data: { file: { validation_comment: 'Not for us' } } })
})
