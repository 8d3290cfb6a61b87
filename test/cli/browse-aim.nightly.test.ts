/** The terminal browser: an action applies to the items it started with, and reports how it ended. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import { signIn } from '../support/client.ts'
import { buildFile, buildRole, buildUser, turnSettings, userRolePermissions } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { answerJson, answerPage, answerProfile, describeFile, refuse, startOddServer } from './odd-server.ts'
import { keys, openScreen } from './screen.ts'
import { openUserTerminal } from './signed-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const item = (id: number, name: string) => ({ ...describeFile(name, Buffer.from(name)), id })

const profile = { 'GET /api/auth/profile': answerProfile }

test('a slow action leaves a selection made later in another view as it is', async () => {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const { terminal } = await startOddServer({
    ...profile,
    'GET /api/files': (_request, response) => answerPage(response, { files: [item(1, 'a.txt'), item(2, 'b.txt')] }),
    'GET /api/files/favorites': (_request, response) =>
      answerPage(response, { files: [item(3, 'c.txt'), item(4, 'd.txt')] }),
    'POST /api/files/1/copy': async (_request, response) => {
      await released
      answerJson(response, { file: item(5, 'a (1).txt') })
    },
    'POST /api/files/2/copy': (_request, response) => refuse(response, 403, 'forbidden', 'Not yours'),
  })
  const screen = await openScreen(terminal)
  await screen.stands('a.txt')
  screen.type('*', 'c')
  await screen.shows('Copy 2 items to')
  await screen.shows('here: /')
  screen.type(keys.enter)
  await screen.shows('Working…')
  screen.type(keys.escape)
  await screen.hides('Copy 2 items to')
  screen.type('4')
  await screen.stands('c.txt')
  screen.type('*')
  await screen.shows('✓ 2 items')
  release()
  await screen.shows('1 of 2 items failed')
  await screen.shows('✓ 2 items')
})

test('the keys of a preview act on the previewed file only, whatever is selected', async () => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  await turnSettings(admin, { validation_enabled: true })
  const author = await buildUser(server)
  const files = []
  for (const name of ['one.txt', 'two.txt', 'three.txt']) files.push(await buildFile(author, { name }))
  await turnSettings(admin, { validation_enabled: false })
  const role = await buildRole(server, [...userRolePermissions, 'validation:review'])
  const { terminal } = await openUserTerminal(server, { role })
  const screen = await openScreen(terminal)
  await screen.shows('7 Validation')
  screen.type('7')
  await screen.stands('one.txt')
  screen.type(' ', ' ')
  await screen.shows('✓ 2 items')
  await screen.stands('three.txt')
  screen.type(keys.enter)
  await screen.shows('D download · Esc closes')
  screen.type('D')
  await screen.shows("Download 'three.txt' to:")
  screen.type(keys.escape)
  await screen.hides("Download 'three.txt' to:")
  screen.type(keys.enter)
  await screen.hides('two.txt')
  screen.type('x')
  await screen.shows("Reject 'three.txt' because:")
  screen.type(keys.escape)
  await screen.hides("Reject 'three.txt' because:")
  screen.type(keys.enter)
  await screen.hides('two.txt')
  screen.type('a')
  await screen.shows("Approved 'three.txt'")
  await screen.shows('✓ 2 items')
  const states = await Promise.all(files.map(async ({ id }) => (await author.call(getFile, { id })).file))
  expect(states.map(file => file.validation_status)).toEqual(['pending', 'pending', 'approved'])
})

/** Name, view, key, request, answer to its repetition, and message. */
const changes = [
  ['moved to the trash', '1', 'd', 'PUT /api/files/1/trash', 404, 'not_found', "'a.txt' was moved to the trash"],
  [
    'deleted permanently',
    '6',
    'd',
    'DELETE /api/files/1/permanent',
    404,
    'not_found',
    "'gone.txt' was permanently deleted",
  ],
  ['restored', '6', 'r', 'PUT /api/files/1/restore', 409, 'not_trashed', 'Restored to /a.txt'],
] as const

describe.each(changes)('an item that is %s', (_name, view, key, change, status, refusal, told) => {
  test('is reported as done when the answer was lost and the repetition is refused', async () => {
    let asked = 0
    const file = item(1, 'a.txt')
    const { terminal } = await startOddServer({
      ...profile,
      'GET /api/files': (_request, response) => answerPage(response, { files: [file] }),
      'GET /api/files/trash': (_request, response) =>
        answerPage(response, { files: [{ ...file, name: 'gone.txt', deleted_at: file.created_at }] }),
      'GET /api/files/1': (_request, response) => answerJson(response, { file }),
      [change]: ({ socket }, response) => {
        asked += 1
        if (asked === 1) socket.destroy()
        else refuse(response, status, refusal, 'Not here')
      },
    })
    const screen = await openScreen(terminal)
    await screen.stands('a.txt')
    screen.type(view)
    if (view === '6') await screen.stands('gone.txt')
    screen.type(key)
    if (key === 'd') {
      await screen.shows('[y/n]')
      screen.type('y')
    }
    await screen.shows(told)
    expect(asked).toBe(2)
  })
})
