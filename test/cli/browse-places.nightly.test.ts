/** The terminal browser in team folders and in what others share: views, rights, moves and quotas. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteShare, hideShare, listReceived } from '../../src/api/shares.ts'
import { updateSpace } from '../../src/api/spaces.ts'
import { listTrash, trashFile } from '../../src/api/trash.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildFolder, buildGroup, buildShare, buildTeam, buildUser } from '../support/factories.ts'
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

const wide = { columns: 100, rows: 24 }

/** The places, and a folder of the user's own. */
async function openExample() {
  const opened = await openPlaces(server, admin)
  await buildFolder(opened.user, 'Own')
  return opened
}

describe('team folders', () => {
  test('are a view with level, members and use; inside, the status line shows the quota of the team', async () => {
    const { terminal, team } = await openExample()
    await admin.call(updateSpace, { id: team.id, storage_quota: 3 * 1024 ** 3 })
    const screen = await openScreen(terminal)
    await screen.stands('Own/')
    screen.type('2')
    await screen.stands('Accounts/')
    await screen.shows(/Accounts\/ +Manager +1 .*\d Bytes of 3\.00 GB/)
    screen.type(keys.enter)
    await screen.stands('2026/')
    await screen.shows(/^ @Accounts {2}/m)
    await screen.shows(/Accounts: \d+ Bytes of 3\.00 GB \(0%\)/)
    screen.type(keys.enter)
    await screen.stands('a.txt')
    await screen.shows(/^ @Accounts\/2026 {2}/m)
    screen.type(keys.backspace)
    await screen.stands('2026/')
    screen.type(keys.backspace)
    await screen.stands('Accounts/')
  })

  test('have a trash of their own, from which editors restore and managers delete', async () => {
    const { terminal, user, team, a } = await openExample()
    const editor = await buildTeam(admin, await buildUser(server), 'Edited')
    await buildShare(admin, { id: editor.folder_id }, user, 'edit').catch(() => undefined)
    const screen = await openScreen(terminal, ['@Accounts/2026'])
    await screen.stands('a.txt')
    screen.type('d')
    await screen.shows("Move 'a.txt' to the trash?")
    screen.type('y')
    await screen.shows("'a.txt' was moved to the trash · T shows it")
    screen.type('T')
    await screen.shows('Trash of Accounts')
    await screen.stands('a.txt')
    screen.type('r')
    await screen.shows('Restored to @Accounts/2026/a.txt')
    await user.call(trashFile, { id: a.id })
    screen.type('R')
    await screen.stands('a.txt')
    screen.type('e')
    await screen.shows("Empty the trash of 'Accounts'? This cannot be undone. [y/n]")
    screen.type('y')
    await screen.shows('1 item permanently deleted')
    expect((await user.call(listTrash, { folder_id: String(team.folder_id) })).files).toEqual([])
    screen.type(keys.tab)
    await screen.shows('Trash of My files')
  })

  test('are searched first, and after Tab together with all other places', async () => {
    const { terminal, user } = await openExample()
    await buildFile(user, { name: 'a.txt own' })
    const screen = await openScreen(terminal, ['@Accounts/2026'])
    await screen.stands('a.txt')
    screen.type('/')
    await screen.shows('Search in @Accounts: ')
    screen.type('a.txt')
    await screen.shows("'a.txt' in @Accounts · 1 found")
    screen.type(keys.tab)
    await screen.shows("'a.txt' · 2 found")
    await screen.shows('Tab searches in @Accounts')
    screen.type(keys.tab)
    await screen.shows("'a.txt' in @Accounts · 1 found")
    screen.type(keys.enter)
    await screen.shows('Enter open')
    screen.type(keys.backspace)
    await screen.shows(/^ @Accounts\/2026 {2}/m)
  })

  test('of an editor offer no permanent deletion, and say why', async () => {
    const { terminal, user } = await openUserTerminal(server)
    const manager = await buildUser(server)
    const team = await buildTeam(admin, manager, 'Plans')
    await buildShare(manager, { id: team.folder_id }, user, 'edit')
    const file = await buildFile(user, { name: 'gone.txt', parent_id: team.folder_id })
    await user.call(trashFile, { id: file.id })
    const screen = await openScreen(terminal)
    await screen.shows('This folder is empty')
    screen.type('6', keys.tab)
    await screen.stands('gone.txt')
    expect(screen.lines().at(-1)).toContain('r restore')
    expect(screen.lines().at(-1)).not.toContain('delete permanently')
    screen.type('d')
    await screen.shows("✗ Only managers of 'Plans' delete permanently")
  })
})

describe('Shared', () => {
  test('is where a folder leads back to whose share has ended, and says so', async () => {
    const { terminal, owner, share } = await openExample()
    const screen = await openScreen(terminal)
    await screen.stands('Own/')
    screen.type('3')
    await screen.stands('Photos/')
    screen.type(keys.enter)
    await screen.stands('b.txt')
    await owner.call(deleteShare, { id: share.id })
    screen.type('R')
    await screen.shows("✗ 'Photos' is gone, or no longer shared with you")
    await screen.shows('Nothing is shared with you')
    expect(screen.lines().join('\n')).not.toContain('b.txt')
  })

  test('lists what others share, opens it and returns to it; Tab shows what the user shares', async () => {
    const { terminal, user, owner } = await openExample()
    const own = await buildFile(user, { name: 'mine.txt' })
    await buildShare(user, own, owner, 'edit')
    const screen = await openScreen(terminal, [], wide)
    await screen.stands('Own/')
    screen.type('3')
    await screen.stands('Photos/ New')
    await screen.shows(new RegExp(`Photos/ New +${owner.username} +View +\\d{4}-`))
    expect((await user.call(listReceived, {})).shares.map(share => share.is_new)).toEqual([false])
    screen.type(keys.enter)
    await screen.stands('b.txt')
    await screen.shows(/^ @Photos .*View only$/m)
    await screen.shows(`shared by ${owner.username}`)
    screen.type(keys.backspace)
    await screen.stands('Photos/')
    screen.type(keys.tab)
    await screen.stands('mine.txt')
    await screen.shows(new RegExp(`mine.txt +${owner.username} +Edit`))
    screen.type('x')
    await screen.shows(`Stop sharing 'mine.txt' with ${owner.username}? [y/n]`)
    screen.type('y')
    await screen.shows('You share nothing yet')
    expect((await owner.call(listReceived, {})).shares).toEqual([])
  })

  test('hides a share and shows it again, and is left after a question; what a group has is only hidden', async () => {
    const { terminal, user, owner } = await openExample()
    const group = await buildGroup(admin, [user])
    const doc = await buildFolder(owner, 'Of the group')
    await buildShare(owner, doc, { group_id: group.id }, 'view')
    const screen = await openScreen(terminal)
    await screen.stands('Own/')
    screen.type('3')
    await screen.stands('Of the group/')
    screen.type('x')
    await screen.shows(`✗ 'Of the group' is shared with '${group.name}', not with you alone`)
    screen.type('H')
    await screen.shows("'Of the group' is hidden")
    await screen.stands('Photos/')
    screen.type('.')
    await screen.stands('Of the group/')
    screen.type('H')
    await screen.shows("'Of the group' is in your list again")
    await screen.shows('Nothing is hidden')
    screen.type('.')
    await screen.stands('Of the group/')
    screen.type('j')
    await screen.stands('Photos/')
    screen.type('x')
    await screen.shows("Leave 'Photos'? Only who manages it can let you in again. [y/n]")
    screen.type('y')
    await screen.shows("You have left 'Photos'")
    expect((await user.call(listReceived, {})).shares.map(({ item }) => item.name)).toEqual(['Of the group'])
  })

  test('is where the browser starts with a single file, even a hidden one, and its preview opens', async () => {
    const { terminal, user, owner } = await openUserTerminal(server).then(async opened => ({
      ...opened,
      owner: await buildUser(server),
    }))
    const single = await buildFile(owner, { name: 'single.txt' }, 'all of it')
    const share = await buildShare(owner, single, user, 'view')
    const screen = await openScreen(terminal, ['@single.txt'], { columns: 120, rows: 24 })
    await screen.stands('single.txt')
    await screen.shows('all of it')
    // In the preview, x is no key: it would leave the share.
    screen.type('x', keys.escape)
    await screen.hides('all of it')
    await screen.shows(/^ Shared with me/m)
    expect(screen.lines().join('\n')).not.toContain('[y/n]')
    await user.call(hideShare, { id: share.id, hidden: true })
    await (await openScreen(terminal, [`id:${single.id}`])).shows('all of it')
  })
})
