/** The questions that `filestore admin` asks at a terminal. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTerminal, talk } from '../cli/terminal.ts'
import { signIn } from '../support/client.ts'
import { buildFile, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { dataFlags, runOn } from './administration.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const onlyAdmin = () =>
  server.deps.db.change("UPDATE users SET is_active = 0 WHERE username <> 'admin' AND username <> 'owner'")

const answerTo = async (args: string[], answers: [question: string, answer: string][]) =>
  talk(await openTerminal(), ['admin', ...args, ...dataFlags(server)], answers)

test('create and user add ask for missing values, and do not show passwords', async () => {
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

test('user add makes a password when none is typed', async () => {
  const { exitCode, screen } = await answerTo(
    ['user', 'add', 'tim', '--email', 'tim@example.org'],
    [['Password (', '\r']],
  )
  expect(exitCode).toBe(0)
  const [, password = ''] = /told this once: (\S+)/.exec(screen) ?? []
  await signIn(server.url, 'tim', password)
})

test('set-password refuses two different passwords, and asks for none when the user does not exist', async () => {
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

test('user delete says what it will delete, and deletes only after a yes', async () => {
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

test('answers typed ahead are accepted, and a password among them is not shown', async () => {
  const secret = 'not-to-be-seen'
  for (let round = 0; round < 5; round++) {
    const name = `early-${round}`
    const ahead = `${name}\r${name}@example.org\r${secret}\r${secret}\r`
    const { exitCode, screen } = await answerTo(['create'], [['Username: ', ahead]])
    expect(screen).not.toContain(secret)
    expect(screen).toContain(`Email: ${name}@example.org`)
    expect(exitCode).toBe(0)
    await signIn(server.url, name, secret)
  }
})

test('characters typed while a question appears are not shown', async () => {
  const user = await buildUser(server)
  for (let round = 0; round < 5; round++) {
    const secret = `not to be seen ${round}`
    const { exitCode, screen } = await answerTo(
      ['user', 'set-password', user.username],
      [
        ['Password: ', `${secret}\r${secret.slice(0, 6)}`],
        ['Once more: ', `${secret.slice(6)}\r`],
      ],
    )
    expect(exitCode).toBe(0)
    expect(screen).not.toContain('not to')
    await signIn(server.url, user.username, secret)
  }
})

test('--password-stdin on a terminal asks for the password, and does not show it', async () => {
  const user = await buildUser(server)
  const { exitCode, screen } = await answerTo(
    ['user', 'set-password', user.username, '--password-stdin'],
    [['Password: ', 'not to be seen\r']],
  )
  expect(exitCode).toBe(0)
  expect(screen).not.toContain('not to be seen')
  await signIn(server.url, user.username, 'not to be seen')
})

test('key create asks for the user', async () => {
  const user = await buildUser(server)
  const args = ['key', 'create', 'backup', '--permission', 'files:read']
  const { exitCode, screen } = await answerTo(args, [['User: ', `${user.username}\r`]])
  expect(exitCode).toBe(0)
  expect(screen).toMatch(/Secret +gs_/)
})

test.each([
  ['a user who is not there', ['user', 'delete', 'nobody'], 4],
  ['the last administrator', ['user', 'delete', 'admin'], 5],
  ['a receiver who is not there', ['user', 'delete', 'owner', '--files', 'transfer', '--to', 'nobody'], 4],
  ['files that nobody gets', ['user', 'delete', 'owner'], 5],
  ['a role that somebody has', ['role', 'delete', 'user'], 5],
  ['a field that is not there', ['fields', 'delete', 'nothing'], 4],
  ['a key that is not there', ['key', 'revoke', 'gk_nothing'], 4],
])('a command for %s fails without asking for confirmation', async (what, args, code) => {
  if (what.startsWith('a receiver')) await buildFile(await buildUser(server, { username: 'owner' }))
  // Other tests of this file have made administrators too.
  if (what.startsWith('the last')) await server.deps.db.touch(() => onlyAdmin())
  const { exitCode, screen } = await answerTo(args, [])
  expect(exitCode).toBe(code)
  expect(screen).not.toContain('[y/N]')
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
