/** Links in the Share dialog of the terminal browser. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLink, listLinks } from '../../src/api/links.ts'
import { updateSharingSettings } from '../../src/api/shares.ts'
import { updateSpace } from '../../src/api/spaces.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildFolder, buildShare, buildTeam } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { keys, openScreen } from './screen.ts'
import { openUserTerminal } from './signed-in.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

/** `Docs` with `a.txt`, of which there is no link yet. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  const a = await buildFile(opened.user, { name: 'a.txt', parent_id: docs.id })
  return { ...opened, docs, a }
}

const linksOf = async (client: TestClient) => (await client.call(listLinks, {})).links

const copied = (text: string) => `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`

test('n makes a link of a level, with a label and a password, and copies its address', async () => {
  const { terminal, user } = await openExample()
  const screen = await openScreen(terminal)
  await screen.stands('Docs/')
  screen.type('p')
  await screen.shows("Share 'Docs'")
  await screen.shows('n link')
  screen.type('n')
  await screen.shows("New link to 'Docs'")
  screen.type('j')
  await screen.shows('hands in files')
  screen.type(keys.enter)
  await screen.shows('Label of the link:')
  screen.type('Class 7b', keys.enter)
  await screen.shows('Password of the link:')
  screen.type('short', keys.enter)
  await screen.shows('✗ ')
  screen.type(' but longer now', keys.enter)
  await screen.shows(/› Link 'Class 7b' +Upload only +password/)
  const [link] = await linksOf(user)
  expect(link).toMatchObject({ level: 'upload', label: 'Class 7b', has_password: true })
  const address = `${server.url}${link?.url}`
  await screen.shows(`Address copied: ${address}`)
  expect(screen.sent()).toContain(copied(address))
})

test('on a link, y copies, Space pauses and resumes, e sets the last day, and x revokes it', async () => {
  const { terminal, user, docs } = await openExample()
  const { link } = await user.call(createLink, { item_id: docs.id, level: 'view', max_downloads: 5 })
  const screen = await openScreen(terminal)
  await screen.stands('Docs/')
  screen.type('p')
  await screen.shows(/^ +Link +View/m)
  screen.type('j')
  await screen.shows(/› Link +View/)
  await screen.shows(`${server.url}${link.url}`)
  await screen.shows('Not used yet, at most 5 downloads')
  screen.type('y')
  await screen.shows('Address copied')
  screen.type(' ')
  await screen.shows(/› Link +View +Paused/)
  await screen.shows('Space resume')
  screen.type(' ')
  await screen.shows('The link is no longer paused')
  await screen.shows('Space pause')
  screen.type('e')
  await screen.shows('Last day of the link:')
  screen.type('2099-12-31', keys.enter)
  await screen.shows(/› Link +View +until 2099-12-31/)
  screen.type('x')
  await screen.shows('Revoke the link?')
  screen.type('n')
  await screen.hides('Revoke the link?')
  screen.type('x')
  await screen.shows('Revoke the link?')
  screen.type('y')
  await screen.shows('The link is revoked')
  expect(await linksOf(user)).toEqual([])
})

test('a link on the folder above is shown, and changed there', async () => {
  const { terminal, user, docs } = await openExample()
  await user.call(createLink, { item_id: docs.id, level: 'view', label: 'Above' })
  const screen = await openScreen(terminal, ['/Docs'], { columns: 100, rows: 24 })
  await screen.stands('a.txt')
  screen.type('p')
  await screen.shows(/Link 'Above' +View +because of the folder 'Docs'/)
  screen.type('j', 'x')
  await screen.shows("✗ This comes from the folder 'Docs': change it there")
})

test('a file has links to look at alone, so no level is asked for', async () => {
  const { terminal, user } = await openExample()
  const screen = await openScreen(terminal, ['/Docs'])
  await screen.stands('a.txt')
  screen.type('p')
  await screen.shows("Share 'a.txt'")
  await screen.shows('n link')
  screen.type('n')
  await screen.shows('Label of the link:')
  screen.type(keys.enter)
  await screen.shows('Password of the link:')
  screen.type(keys.enter)
  await screen.shows(/› Link +View/)
  expect(await linksOf(user)).toMatchObject([{ level: 'view', label: null, has_password: false }])
})

test('an editor whom the team lets make links has only links in the dialog', async () => {
  const { user: manager } = await openExample()
  const team = await buildTeam(admin, manager, 'Crew')
  const plans = await buildFolder(manager, 'Plans', team.folder_id)
  const { terminal, user: editor } = await openUserTerminal(server)
  await buildShare(manager, { id: team.folder_id }, editor, 'edit')
  const closed = await openScreen(terminal, ['@Crew'])
  await closed.stands('Plans/')
  closed.type('p')
  await closed.shows("✗ You may not share 'Plans'")
  await manager.call(updateSpace, { id: team.id, editors_may_link: true })
  const screen = await openScreen(terminal, ['@Crew'])
  await screen.stands('Plans/')
  screen.type('p')
  await screen.shows("Share 'Plans'")
  await screen.shows('n link')
  await screen.hides('a add')
  screen.type('n')
  await screen.shows("New link to 'Plans'")
  screen.type(keys.enter)
  await screen.shows('Label of the link:')
  screen.type(keys.enter)
  await screen.shows('Password of the link:')
  screen.type(keys.enter)
  await screen.shows(/› Link +View/)
  expect(await linksOf(editor)).toMatchObject([{ item_id: plans.id }])
})

test('where links are turned off, none is made, and those there are say so', async () => {
  const { terminal, user, docs } = await openExample()
  await user.call(createLink, { item_id: docs.id, level: 'view' })
  await admin.call(updateSharingSettings, { links: false })
  const screen = await openScreen(terminal)
  await screen.stands('Docs/')
  screen.type('p')
  await screen.shows(/Link +View +Turned off/)
  screen.type('n')
  await screen.shows('✗ Links are turned off on this server')
  await admin.call(updateSharingSettings, { links: true })
})

test('where links need a password and an end, a new one gets both', async () => {
  const { terminal, user } = await openExample()
  await admin.call(updateSharingSettings, { link_password_required: true, link_max_days: 30 })
  const screen = await openScreen(terminal)
  await screen.stands('Docs/')
  screen.type('p')
  await screen.shows('n link')
  screen.type('n')
  await screen.shows("New link to 'Docs'")
  screen.type(keys.enter)
  await screen.shows('Label of the link:')
  screen.type(keys.enter)
  await screen.shows('Links need one here')
  screen.type(keys.enter)
  await screen.shows('✗ ')
  screen.type('open sesame', keys.enter)
  await screen.shows(/› Link +View +until .* · password/)
  await admin.call(updateSharingSettings, { link_password_required: false, link_max_days: 0 })
  expect(await linksOf(user)).toMatchObject([{ has_password: true, works: true }])
})
