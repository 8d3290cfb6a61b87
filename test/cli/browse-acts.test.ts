/** The terminal browser: actions on items. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, getFileByPath, listFiles } from '../../src/api/files.ts'
import { listTrash, trashFile } from '../../src/api/trash.ts'
import { signIn } from '../support/client.ts'
import {
  buildFile,
  buildFolder,
  buildRole,
  buildTag,
  buildUser,
  turnSettings,
  userRolePermissions,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { keys, openScreen } from './screen.ts'
import { openUserTerminal } from './signed-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** The root holds the folder `Docs` and the files `a.txt`, `b.txt` and `c.txt`. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  const a = await buildFile(opened.user, { name: 'a.txt' }, 'content of a')
  const b = await buildFile(opened.user, { name: 'b.txt' })
  await buildFile(opened.user, { name: 'c.txt' })
  const screen = await openScreen(opened.terminal)
  await screen.stands('Docs/')
  return { ...opened, docs, a, b, screen }
}

describe('items', () => {
  test('are renamed, and a taken name stays in the line for another try', async () => {
    const { screen, user, a } = await openExample()
    screen.type('j', 'r')
    await screen.shows('Rename to: a.txt')
    screen.type(keys.backspace, 'b', keys.enter)
    await screen.shows(/✗ .*b\.txt/)
    screen.type('2', keys.enter)
    await screen.stands('b2.txt')
    expect((await user.call(getFile, { id: a.id })).file.name).toBe('b2.txt')
  })

  test('are selected and moved together into a folder chosen from a list', async () => {
    const { screen, user, docs } = await openExample()
    screen.type('j', ' ', ' ')
    await screen.shows('✓ 2 items')
    screen.type('m')
    await screen.shows('Move 2 items to')
    await screen.shows('Docs/')
    screen.type('j', keys.enter)
    await screen.shows('here: /Docs')
    screen.type(keys.enter)
    await screen.shows('Moved 2 items to /Docs')
    await screen.hides('a.txt')
    const { files } = await user.call(listFiles, { parent_id: docs.id })
    expect(files.map(file => file.name)).toEqual(['a.txt', 'b.txt'])
  })

  test('are copied, starred and tagged', async () => {
    const { screen, user, a } = await openExample()
    const tag = await buildTag(user, 'urgent')
    screen.type('j', 'c')
    await screen.shows('here: /')
    screen.type(keys.enter)
    await screen.stands('a (1).txt')
    screen.type('j')
    await screen.stands('a.txt')
    screen.type('f')
    await screen.shows('★')
    screen.type('t')
    await screen.shows('[ ] ● urgent')
    screen.type(' ')
    await screen.shows('[✓] ● urgent')
    screen.type(keys.escape)
    await screen.shows(/a\.txt .*urgent/)
    const { file } = await user.call(getFile, { id: a.id })
    expect(file).toMatchObject({ is_favorite: true, tags: [{ id: tag.id }] })
    screen.type('4')
    await screen.stands('a.txt')
    await screen.hides('c.txt')
  })

  test('move to the trash after a confirmation, and are restored from there', async () => {
    const { screen, user, a } = await openExample()
    screen.type('j', 'd')
    await screen.shows("Move 'a.txt' to the trash? [y/n]")
    screen.type('n')
    await screen.hides('[y/n]')
    screen.type('d')
    await screen.shows('[y/n]')
    screen.type('y')
    await screen.shows("'a.txt' was moved to the trash")
    await screen.stands('b.txt')
    expect((await user.call(listTrash, {})).files.map(file => file.id)).toEqual([a.id])
    screen.type('6')
    await screen.stands('a.txt')
    screen.type('r')
    await screen.shows('Restored to /a.txt')
    await screen.shows('Trash is empty')
    screen.type('1')
    await screen.shows(/ a\.txt/)
  })

  test('in the trash are all deleted permanently by one key, after a confirmation', async () => {
    const { screen, user, a, b } = await openExample()
    for (const { id } of [a, b]) await user.call(trashFile, { id })
    screen.type('6')
    await screen.shows('Trash of My files')
    await screen.stands('b.txt')
    screen.type('e')
    await screen.shows('Empty the trash?')
    screen.type('y')
    await screen.shows('2 items permanently deleted')
    await screen.shows('Trash is empty')
    expect((await user.call(listTrash, {})).files).toEqual([])
  })

  test('include a new folder as soon as it is made', async () => {
    const { screen, user } = await openExample()
    screen.type('n')
    await screen.shows('New folder:')
    screen.type('日本 2026', keys.enter)
    await screen.stands('日本 2026/')
    expect((await user.call(getFileByPath, { path: '/日本 2026' })).file.is_directory).toBe(true)
  })
})

describe('transfers', () => {
  test('an upload of a local folder completes its path by Tab', async () => {
    const { screen, user, terminal } = await openExample()
    await mkdir(terminal.path('photos/June'), { recursive: true })
    await writeFile(terminal.path('photos/June/one.jpg'), 'one')
    await writeFile(terminal.path('phrases.txt'), 'two')
    screen.type('u')
    await screen.shows('Upload to /:')
    screen.type('ph', keys.tab)
    await screen.shows('photos/  phrases.txt')
    screen.type('o', keys.tab)
    await screen.shows('Upload to /: photos/')
    screen.type(keys.enter)
    await screen.stands('photos/')
    await screen.shows("Uploaded 'photos' (1 file)")
    expect((await user.call(getFileByPath, { path: '/photos/June/one.jpg' })).file.size).toBe(3)
  })

  test('a download goes into a local folder, and never replaces a file there', async () => {
    const { screen, terminal } = await openExample()
    await mkdir(terminal.path('target'))
    screen.type('j', 'D')
    await screen.shows("Download 'a.txt' to: ./")
    screen.type('target', keys.enter)
    await screen.shows("Downloaded 'a.txt'")
    expect(await readFile(terminal.path('target/a.txt'), 'utf8')).toBe('content of a')
    screen.type('D')
    await screen.shows('to: ./')
    screen.type('target', keys.enter)
    await screen.shows('is there already')
    screen.type(keys.escape)
    await screen.stands('a.txt')
  })

  test('a local path that does not exist shows an error below the line', async () => {
    const { screen } = await openExample()
    screen.type('u')
    await screen.shows('Upload to')
    screen.type('none', keys.enter)
    await screen.shows(/✗ There is no .*none/)
  })
})

test('a reviewer approves a pending file, and rejects another with a reason', async () => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  await turnSettings(admin, { validation_enabled: true })
  const author = await buildUser(server)
  const good = await buildFile(author, { name: 'good.txt' })
  const bad = await buildFile(author, { name: 'bad.txt' })
  await turnSettings(admin, { validation_enabled: false })
  const role = await buildRole(server, [...userRolePermissions, 'validation:review'])
  const { terminal } = await openUserTerminal(server, { role })
  const screen = await openScreen(terminal)
  await screen.shows('7 Validation')
  screen.type('7')
  await screen.stands('good.txt')
  screen.type('a')
  await screen.shows("Approved 'good.txt'")
  await screen.stands('bad.txt')
  screen.type('x')
  await screen.shows("Reject 'bad.txt' because:")
  screen.type('No signature', keys.enter)
  await screen.shows('No pending files')
  expect((await author.call(getFile, { id: good.id })).file.validation_status).toBe('approved')
  expect((await author.call(getFile, { id: bad.id })).file).toMatchObject({
    validation_status: 'rejected',
    validation_comment: 'No signature',
  })
})
