/** The terminal browser in other places: what is offered there, and moves and copies between places. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { listTrash } from '../../src/api/trash.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildFolder, buildKey, buildShare } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openPlaces } from './open-places.ts'
import { keys, openScreen } from './screen.ts'
import { openUserTerminal } from './signed-in.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

/** The places, and a folder of the user's own. */
async function openExample() {
  const opened = await openPlaces(server, admin)
  await buildFolder(opened.user, 'Own')
  return opened
}

const namesIn = async (client: TestClient, parentId: number | null): Promise<string[]> => {
  const { folders, files } = await client.call(listFiles, { parent_id: parentId })
  return [...folders, ...files].map(({ name }) => name)
}

describe('rights', () => {
  test('keys that the place does not allow are not offered, and say why', async () => {
    const { terminal, user, owner } = await openExample()
    const screen = await openScreen(terminal, ['@Photos'], { columns: 160, rows: 24 })
    await screen.stands('b.txt')
    await screen.shows(/c copy {2}f favorite/)
    for (const hint of ['u upload', 'n new folder', 'r rename', 'm move', 'd delete', 'p share']) {
      expect(screen.lines().at(-1)).not.toContain(hint)
    }
    screen.type('r')
    await screen.shows("✗ You may not rename 'b.txt': 'Photos' is view only")
    screen.type('d')
    await screen.shows("✗ You may not delete 'b.txt'")
    screen.type('p')
    await screen.shows("✗ You may not share 'b.txt': only who manages it may")
    screen.type('u')
    await screen.shows('✗ You may not add anything to this folder')
    screen.type('j')
    await screen.hides('✗')
    const work = await buildFolder(owner, 'Work')
    await buildFile(owner, { name: 'plan.txt', parent_id: work.id })
    await buildShare(owner, work, user, 'edit')
    screen.type('3')
    await screen.stands('Work/')
    screen.type('f')
    await screen.shows("'Work' added to favorites")
    screen.type('4')
    await screen.shows('Favorites, files and folders alike')
    await screen.stands('Work/')
    screen.type('m')
    await screen.shows("✗ You may not move 'Work' itself, only what is in it")
    screen.type(keys.enter)
    await screen.stands('plan.txt')
    await screen.shows('r rename')
  })

  test('in a drop box files are only handed in', async () => {
    const { terminal, user, owner } = await openExample()
    const drop = await buildFolder(owner, 'Homework')
    await buildShare(owner, drop, user, 'upload')
    const screen = await openScreen(terminal, ['@Homework'])
    await screen.shows('Nothing handed in yet')
    await screen.shows(/You see only your own files, and\s+cannot change them/)
    await screen.shows('u upload')
    expect(screen.lines().at(-1)).not.toContain('new folder')
    screen.type('n')
    await screen.shows('✗ You may only upload files to this folder')
    await buildFile(user, { name: 'essay.txt', parent_id: drop.id })
    screen.type('R')
    await screen.stands('essay.txt')
    screen.type('r')
    await screen.shows(/✗ You may not rename '.*: what is handed in stays as it is/)
  })

  test('a key that only reads offers no changes, and one for a folder nothing else', async () => {
    const { user, terminal } = await openUserTerminal(server, {}, ['files:read'])
    const docs = await buildFolder(user, 'Docs')
    await buildFile(user, { name: 'in.txt', parent_id: docs.id })
    const screen = await openScreen(terminal, ['/Docs'], { columns: 120, rows: 40 })
    await screen.stands('in.txt')
    await screen.shows('D download')
    expect(screen.lines().at(-1)).not.toContain('rename')
    screen.type('r')
    await screen.shows('✗ Your role or key does not allow this: it lacks files:write')
    screen.type('?')
    await screen.shows('D          download')
    expect(screen.lines().join('\n')).not.toContain('rename')
    const key = await buildKey(server, user, ['files:read', 'files:write'], 'script', { scope_id: docs.id })
    Object.assign(terminal.env, { FILESTORE_API_KEY_ID: key.keyId, FILESTORE_API_SECRET: key.secret })
    const folder = await openScreen(terminal)
    await folder.stands('in.txt')
    expect(folder.lines()[0]).not.toContain('Trash')
    folder.type('2', 'f')
    await folder.shows('✗ A key for one folder has no favorites, tags and shares')
    folder.type('r')
    await folder.shows('Rename to: in.txt')
  })
})

describe('the list of folders to move and copy to', () => {
  test('goes over all places; a move to another says where the original goes, and leaves it in the trash', async () => {
    const { terminal, user, team, year, a } = await openExample()
    const screen = await openScreen(terminal, ['@Accounts/2026'])
    await screen.stands('a.txt')
    screen.type('m')
    await screen.shows('The item is already in this folder.')
    screen.type(keys.enter)
    await screen.shows('✗ The item is already in this folder.')
    screen.type(keys.backspace)
    await screen.shows('2026/')
    screen.type(keys.backspace)
    await screen.shows(/Accounts\/ +team folder/)
    await screen.shows(/Photos\/ +from user-/)
    screen.type('G', keys.enter)
    await screen.shows('You may not add anything to this folder.')
    screen.type(keys.backspace)
    await screen.shows('all places')
    screen.type('g', keys.enter)
    await screen.shows('A copy is made there. The original goes to the trash of Accounts.')
    await screen.shows('Own/')
    screen.type('n')
    await screen.shows('New folder in My files:')
    screen.type('Fresh', keys.enter)
    await screen.shows('here: /Fresh')
    screen.type(keys.enter)
    await screen.shows("Moved 'a.txt' to /Fresh; the original is in the trash")
    await screen.hides('…')
    expect(await namesIn(user, year.id)).toEqual([])
    const trashed = await user.call(listTrash, { folder_id: String(team.folder_id) })
    expect(trashed.files.map(({ id }) => id)).toEqual([a.id])
  })

  test('takes a copy of what others share, and does not put a folder into itself', async () => {
    const { terminal, user } = await openExample()
    const screen = await openScreen(terminal, ['@Photos'])
    await screen.stands('b.txt')
    screen.type('c')
    await screen.shows('here: /')
    await screen.shows('Own/')
    screen.type(keys.enter)
    await screen.shows("Copied 'b.txt' to /")
    await screen.hides('here: /')
    expect(await namesIn(user, null)).toEqual(['Own', 'b.txt'])
    screen.type('1')
    await screen.stands('Own/')
    screen.type('m')
    await screen.shows('The item is already in this folder.')
    screen.type('j', keys.enter)
    await screen.shows('✗ A folder cannot be put into itself.')
  })
})
