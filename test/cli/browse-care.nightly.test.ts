/**
 * The terminal browser with partial failures, slow answers and long lists: it does nothing twice and nothing by
 * mistake.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { favoriteFile, getFile, getFileByPath, listFiles } from '../../src/api/files.ts'
import { createField, deleteField } from '../../src/api/metadata.ts'
import { trashFile } from '../../src/api/trash.ts'
import { signIn } from '../support/client.ts'
import { buildFile, buildFolder, buildRole, turnSettings, userRolePermissions } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { answerJson, answerPage, answerProfile, describeFile, startOddServer } from './odd-server.ts'
import { keys, openScreen } from './screen.ts'
import { openUserTerminal } from './signed-in.ts'
import { runOnTty, shellCall } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('an action on several items', () => {
  test('continues after one fails, and keeps only that one selected', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const target = await buildFolder(user, 'Target')
    const [one, two, three] = [
      await buildFile(user, { name: 'one.txt' }),
      await buildFile(user, { name: 'two.txt' }),
      await buildFile(user, { name: 'three.txt' }),
    ]
    const screen = await openScreen(terminal, ['/one.txt'])
    await screen.stands('one.txt')
    screen.type(' ', ' ', ' ')
    await screen.shows('✓ 3 items')
    screen.type('c')
    await screen.shows('Copy 3 items to')
    await screen.shows('Target/')
    screen.type('j', keys.enter)
    await screen.shows('here: /Target')
    await user.call(trashFile, { id: two.id })
    screen.type(keys.enter)
    await screen.shows('1 of 3 items failed')
    await screen.shows('✓ 1 item')
    const { files } = await user.call(listFiles, { parent_id: target.id })
    expect(files.map(({ name }) => name)).toEqual([one.name, three.name].sort())
  })

  test('downloads one of two files with the same name, and reports the other', async () => {
    const { user, terminal } = await openUserTerminal(server)
    for (const name of ['A', 'B']) {
      const folder = await buildFolder(user, name)
      await buildFile(user, { name: 'same.txt', parent_id: folder.id }, `of ${name}`)
    }
    const screen = await openScreen(terminal)
    await screen.stands('A/')
    screen.type('/', 'same')
    await screen.shows("'same' · 2 found")
    screen.type(keys.enter)
    await screen.hides('Search:')
    screen.type('*', 'D')
    await screen.shows('Download 2 items to')
    screen.type(keys.enter)
    await screen.shows('1 failure:')
    expect(await readFile(terminal.path('same.txt'), 'utf8')).toMatch(/^of [AB]$/)
  })
})

test('a rejection may be without a reason', async () => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  await turnSettings(admin, { validation_enabled: true })
  const role = await buildRole(server, [...userRolePermissions, 'validation:review'])
  const { user, terminal } = await openUserTerminal(server, { role })
  const file = await buildFile(admin, { name: 'wait.txt' })
  await turnSettings(admin, { validation_enabled: false })
  const screen = await openScreen(terminal)
  await screen.shows('7 Validation')
  screen.type('7')
  await screen.stands('wait.txt')
  screen.type('x')
  await screen.shows('because:')
  screen.type('  ', keys.enter)
  await screen.shows("Rejected 'wait.txt'")
  const rejected = (await admin.call(getFile, { id: file.id })).file
  expect(rejected).toMatchObject({ validation_status: 'rejected', validation_comment: null })
  expect(user.id).not.toBe(file.owner_id)
})

test('a late answer leaves the search line that was opened meanwhile as it is', async () => {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const { terminal, requests } = await startOddServer({
    'GET /api/auth/profile': answerProfile,
    'GET /api/files': (_request, response) =>
      answerPage(response, { files: [describeFile('a.bin', Buffer.from('a'))] }),
    'POST /api/files/folders': async (_request, response) => {
      await released
      answerJson(response, { file: { ...describeFile('Late', Buffer.alloc(0)), is_directory: true } })
    },
  })
  const screen = await openScreen(terminal)
  await screen.stands('a.bin')
  screen.type('n')
  await screen.shows('New folder:')
  screen.type('Late', keys.enter)
  await screen.shows('Working…')
  screen.type(keys.escape)
  await screen.hides('New folder:')
  screen.type('/', 'qu')
  await screen.shows('Search: qu')
  const asked = requests.length
  release()
  // The list reloads once the folder exists.
  await vi.waitFor(() => expect(requests.length).toBeGreaterThan(asked), { timeout: 30_000 })
  screen.type('q')
  await screen.shows('Search: quq')
})

test('1 leads to the root of the files from any view, and 4 to the favorites', async () => {
  const { user, terminal } = await openUserTerminal(server)
  const docs = await buildFolder(user, 'Docs')
  await buildFile(user, { name: 'inside.txt', parent_id: docs.id })
  await buildFile(user, { name: 'outside.txt' })
  await user.call(favoriteFile, { id: docs.id, is_favorite: true })
  const screen = await openScreen(terminal)
  await screen.shows('outside.txt')
  screen.type('4')
  await screen.hides('outside.txt')
  await screen.stands('Docs/')
  screen.type(keys.enter)
  await screen.stands('inside.txt')
  screen.type('4')
  await screen.stands('Docs/')
  screen.type(keys.enter)
  await screen.stands('inside.txt')
  screen.type('1')
  await screen.shows('outside.txt')
  await screen.stands('Docs/')
  screen.type(keys.backspace, 'j')
  await screen.stands('outside.txt')
})

test('the sort order in the head is that of the folder on screen, also on the way back', async () => {
  const { user, terminal } = await openUserTerminal(server)
  const docs = await buildFolder(user, 'Docs')
  await buildFile(user, { name: 'a.txt', parent_id: docs.id })
  const screen = await openScreen(terminal)
  await screen.stands('Docs/')
  await screen.shows('Name ▲')
  screen.type(keys.enter)
  await screen.stands('a.txt')
  screen.type('s')
  await screen.shows('Changed ▲')
  screen.type(keys.backspace)
  await screen.shows('Name ▲')
})

test('the row under the cursor stays in view when the window gets lower', async () => {
  const { user, terminal } = await openUserTerminal(server)
  for (let index = 10; index < 40; index++) await buildFile(user, { name: `f${index}.txt` })
  const screen = await openScreen(terminal)
  await screen.stands('f10.txt')
  screen.type('G')
  await screen.stands('f39.txt')
  await screen.resize({ columns: 80, rows: 14 })
  await screen.stands('f39.txt')
})

test('views that do not fit in the top line are behind an arrow, and the current one is always there', async () => {
  const role = await buildRole(server, [...userRolePermissions, 'validation:review'])
  const { user, terminal } = await openUserTerminal(server, { role })
  await buildFolder(user, 'Docs')
  const screen = await openScreen(terminal, [], { columns: 60, rows: 12 })
  await screen.stands('Docs/')
  expect(screen.lines()[0]).toBe(' 1 Files  2 Team folders  3 Shared  4 Favorites  ›')
  expect(screen.lines()[1]).toMatch(/^ \/ /)
  screen.type('7')
  await screen.shows('No pending files')
  expect(screen.lines()[0]?.trim()).toBe('‹  3 Shared  4 Favorites  5 Recent  6 Trash  7 Validation')
})

test('the preview of an image shows its dimensions after rotation, and none for a broken image', async () => {
  const { user, terminal } = await openUserTerminal(server)
  const turned = await drawImage(64, 32).as('jpeg', 6)
  await buildFile(user, { name: 'photo.jpg' }, turned)
  await buildFile(user, { name: 'torn.jpg' }, turned.subarray(0, 8))
  const screen = await openScreen(terminal)
  await screen.stands('photo.jpg')
  screen.type(keys.enter)
  await screen.shows(/Dimensions +32 × 64 pixels/)
  screen.type(keys.escape)
  await screen.stands('photo.jpg')
  screen.type('j', keys.enter)
  await screen.shows('No preview for this kind of file')
})

test('the preview of a text stops reading after what it shows, even when the server sends without end', async () => {
  const file = describeFile('endless.txt', Buffer.alloc(1_000_000))
  let hasStopped = false
  const { terminal } = await startOddServer({
    'GET /api/auth/profile': answerProfile,
    'GET /api/files': (_request, response) => answerPage(response, { files: [file] }),
    'GET /api/files/7': (_request, response) => answerJson(response, { file }),
    'GET /api/files/7/download': (_request, response) => {
      const send = () => response.write('a line\n'.repeat(10_000))
      response.on('drain', send).on('close', () => {
        hasStopped = true
      })
      send()
    },
  })
  const screen = await openScreen(terminal)
  await screen.stands('endless.txt')
  screen.type(keys.enter)
  await screen.shows('a line')
  await vi.waitFor(() => expect(hasStopped).toBe(true))
})

test('an upload asks for required metadata first', async () => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  await turnSettings(admin, { metadata_enabled: true, metadata_required_on_upload: true })
  const field = await admin.call(createField, {
    name: 'department',
    label: 'Department',
    field_type: 'select',
    options: ['Sales', 'Legal'],
    is_required: true,
  })
  onTestFinished(async () => {
    await admin.call(deleteField, { id: field.id })
    await turnSettings(admin, { metadata_required_on_upload: false })
  })
  const { user, terminal } = await openUserTerminal(server)
  await writeFile(terminal.path('contract.txt'), 'words')
  const screen = await openScreen(terminal)
  await screen.shows('This folder is empty')
  screen.type('u')
  await screen.shows('Upload to /:')
  screen.type('contract.txt', keys.enter)
  await screen.shows('Department:')
  await screen.shows('One of Sales, Legal')
  screen.type('Legal', keys.enter)
  await screen.stands('contract.txt')
  const { file } = await user.call(getFileByPath, { path: '/contract.txt' })
  expect(file.metadata).toMatchObject([{ field_id: field.id, value: 'Legal' }])
})

test('Ctrl-Z gives the terminal to the shell, and fg draws the browser again', async () => {
  const { user, terminal } = await openUserTerminal(server)
  await buildFolder(user, 'Docs')
  const shell = runOnTty(terminal, 'stty cols 80 rows 24; exec bash --norc --noprofile -i')
  let sent = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    sent += text
  })
  onTestFinished(async () => {
    shell.kill('SIGKILL')
    await shell
  })
  const entered = () => sent.split('\u001b[?1049h').length - 1
  const says = (text: string) => vi.waitFor(() => expect(sent).toContain(text), { timeout: 30_000 })
  shell.stdin.write(`${shellCall(['browse'])}\r`)
  await says('Docs/')
  shell.stdin.write('\u001a')
  await says('Stopped')
  shell.stdin.write('fg\r')
  await vi.waitFor(() => expect(entered()).toBe(2), { timeout: 30_000 })
  // The list is drawn after the second switch to the alternate screen.
  await vi.waitFor(() => expect(sent.split('\u001b[?1049h').at(-1)).toContain('Docs/'), { timeout: 30_000 })
  shell.stdin.write('q')
  await vi.waitFor(() => expect(sent.split('\u001b[?1049l')).toHaveLength(3), { timeout: 30_000 })
  shell.stdin.write('exit\r')
  expect((await shell).exitCode).toBe(0)
})
