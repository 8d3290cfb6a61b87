/** The Share dialog of the terminal browser. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAccess, updateSharingSettings } from '../../src/api/shares.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildFolder, buildGroup, buildShare, buildTeam, buildUser } from '../support/factories.ts'
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

/** `Docs` with `a.txt`, of which nothing is shared yet. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  const a = await buildFile(opened.user, { name: 'a.txt', parent_id: docs.id })
  return { ...opened, docs, a }
}

const accessTo = async (client: TestClient, { id }: { id: number }) =>
  (await client.call(listAccess, { id })).access.filter(({ who }) => who.kind !== 'owner')

test('p gives a person access by a name that Tab completes, changes the level and the end, and takes it away', async () => {
  const { terminal, user, docs } = await openExample()
  const ben = await buildUser(server, { username: 'benedikt' })
  const screen = await openScreen(terminal)
  await screen.stands('Docs/')
  screen.type('p')
  await screen.shows("Share 'Docs'")
  await screen.shows(new RegExp(`${user.username} \\(you\\) +Owner`))
  screen.type('a')
  await screen.shows('Share with:')
  await screen.shows('Who has access')
  screen.type('bene')
  await screen.shows(/^ benedikt/m)
  screen.type(keys.tab)
  await screen.shows('Share with: benedikt')
  screen.type(keys.enter)
  await screen.shows('Access of benedikt')
  await screen.shows('They see, download and copy everything in it.')
  screen.type('j', 'j')
  await screen.shows('They also upload, rename, move and delete what is in it.')
  screen.type(keys.enter)
  await screen.shows(/benedikt +Edit/)
  await screen.shows('Shared with benedikt')
  expect(await accessTo(user, docs)).toMatchObject([{ who: { id: ben.id }, level: 'edit', expires_at: null }])
  screen.type('j', keys.enter)
  await screen.shows('Access of benedikt')
  screen.type('k', 'k', keys.enter)
  await screen.shows(/benedikt +View/)
  screen.type('e')
  await screen.shows('Last day of benedikt:')
  screen.type('soon', keys.enter)
  await screen.shows('✗ Expected a day such as 2026-12-31')
  for (const _ of 'soon') screen.type(keys.backspace)
  screen.type('2099-12-31', keys.enter)
  await screen.shows(/benedikt +View +until 2099-12-31/)
  screen.type('x')
  await screen.shows("Take the access to 'Docs' from benedikt? [y/n]")
  await screen.shows('Who has access')
  screen.type('y')
  await screen.shows('benedikt no longer has access')
  expect(await accessTo(user, docs)).toEqual([])
})

test('the dialog says because of which folder somebody has access, and changes nothing from there', async () => {
  const { terminal, user, docs, a } = await openExample()
  const reader = await buildUser(server)
  const group = await buildGroup(admin, [reader])
  await buildShare(user, docs, { group_id: group.id }, 'edit')
  const screen = await openScreen(terminal, ['/Docs'], { columns: 100, rows: 24 })
  await screen.stands('a.txt')
  screen.type('p')
  await screen.shows(new RegExp(`@${group.name} +Edit +Group · because of the folder 'Docs'`))
  screen.type('x')
  await screen.shows('✗ The owner always has access')
  screen.type('j', 'x')
  await screen.shows("✗ This comes from the folder 'Docs': change it there")
  screen.type('a')
  await screen.shows('Share with:')
  screen.type('nobody-there', keys.enter)
  await screen.shows("✗ There is no user 'nobody-there' to share with")
  screen.type(keys.escape)
  await screen.hides('Share with:')
  await screen.shows("Share 'a.txt'")
  screen.type(keys.escape)
  await screen.stands('a.txt')
  expect(await accessTo(user, a)).toHaveLength(1)
})

test('a team folder shows its members, whom managers change; the last manager stays', async () => {
  const { terminal, user } = await openUserTerminal(server)
  const team = await buildTeam(admin, user, 'Crew')
  const member = await buildUser(server)
  await buildShare(user, { id: team.folder_id }, member, 'view')
  const screen = await openScreen(terminal)
  await screen.shows('This folder is empty')
  screen.type('2')
  await screen.stands('Crew/')
  screen.type('p')
  await screen.shows("Members of 'Crew'")
  await screen.shows(new RegExp(`${member.username} +View`))
  screen.type('k', 'k')
  await screen.shows(new RegExp(`› ${user.username} \\(you\\) +Manage`))
  screen.type('l')
  await screen.shows('✗ Another manager changes your access')
  screen.type('x')
  await screen.shows("Leave 'Crew'?")
  screen.type('y')
  await screen.shows(/✗ .*manager/)
})

test('where sharing with people is turned off, the dialog says so and adds nobody', async () => {
  const { terminal } = await openExample()
  await admin.call(updateSharingSettings, { people: false })
  const screen = await openScreen(terminal)
  await screen.stands('Docs/')
  screen.type('p')
  await screen.shows('Sharing with people is turned off on this server.')
  screen.type('a')
  await screen.shows('✗ Sharing with people is turned off on this server')
  await admin.call(updateSharingSettings, { people: true })
})
