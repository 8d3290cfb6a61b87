/** The settings of groups, team folders and sharing. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { getGroup, listGroups } from '../../src/api/groups.ts'
import { getSharingSettings } from '../../src/api/shares.ts'
import { listSpaces } from '../../src/api/spaces.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildGroup,
  buildRole,
  buildShare,
  buildTeam,
  buildUser,
} from '../support/factories.ts'
import { findBarriers, findBarriersInBothThemes } from './accessible.ts'
import { breakCall, createOpener } from './admin-pages.ts'
import { phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let admin: BuiltUser
let anna: BuiltUser
let open: ReturnType<typeof createOpener>

openSite()

beforeAll(async () => {
  open = createOpener(browser)
  admin = await buildUser(server, { role: 'admin', username: 'boss' })
  anna = await buildUser(server, { username: 'anna' })
  await buildUser(server, { username: 'berta' })
})

async function choose(page: Page, field: string, username: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).fill(username)
  await page.getByRole('option', { name: username }).click()
}

test('groups are made, changed and deleted; one that has shares says so first', async () => {
  const { page, offences } = await open(admin, '/settings/groups')
  await row(page, 'Everyone').getByText('Built-in').waitFor()
  expect(await row(page, 'Everyone').getByRole('button').count()).toBe(0)
  await page.getByRole('button', { name: 'New Group' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Group' })
  await dialog.getByRole('button', { name: 'Create Group' }).click()
  await dialog.getByText('Group name is required').waitFor()
  await dialog.getByLabel('Name').fill('Everyone')
  await choose(page, 'Add a member', 'anna')
  await choose(page, 'Add a member', 'berta')
  await dialog.getByRole('button', { name: 'Create Group' }).click()
  await dialog.getByText("'Everyone' is already taken").waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await dialog.getByLabel('Name').fill('Class 7b')
  await dialog.getByRole('button', { name: 'Create Group' }).click()
  await row(page, 'Class 7b').getByText('2 members').waitFor()

  const group = (await admin.call(listGroups, {})).groups.find(({ name }) => name === 'Class 7b')
  const id = group?.id ?? 0
  await buildShare(anna, await buildFolder(anna), { group_id: id }, 'view')
  await page.getByRole('button', { name: 'Edit Class 7b' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Group' })
  await edit.getByRole('button', { name: 'Take out berta' }).click()
  await edit.getByLabel('Name').fill('Class 8b')
  await edit.getByRole('button', { name: 'Save' }).click()
  await row(page, 'Class 8b').getByText('1 member').waitFor()
  const { members } = (await admin.call(getGroup, { id })).group
  expect(members.map(({ username }) => username)).toEqual(['anna'])

  await row(page, 'Class 8b').getByText('1 share').waitFor()
  await page.getByRole('button', { name: 'Delete Class 8b' }).click()
  const question = page.getByRole('dialog', { name: 'Delete group?' })
  await question.getByText('This also removes 1 share').waitFor()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await row(page, 'Class 8b').waitFor({ state: 'detached' })
  expect(offences).toEqual([])
})

test('Enter takes the first user who is found, and submits nothing while a name is typed', async () => {
  const { page } = await open(admin, '/settings/groups')
  await page.getByRole('button', { name: 'New Group' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Group' })
  await dialog.getByLabel('Name').fill('Board')
  const field = page.getByRole('combobox', { name: 'Add a member' })
  await field.fill('nobody like this')
  await field.press('Enter')
  await field.fill('ann')
  await page.locator('[role="option"][data-combobox-selected]', { hasText: 'anna' }).waitFor()
  await field.press('Enter')
  await dialog.getByRole('button', { name: 'Take out anna' }).waitFor()
  await dialog.getByRole('button', { name: 'Create Group' }).click()
  await row(page, 'Board').getByText('1 member').waitFor()
})

test('a group that got a share after its deletion was asked for is asked about once more', async () => {
  const group = await buildGroup(admin, [anna])
  const { page } = await open(admin, '/settings/groups')
  await page.getByRole('button', { name: `Delete ${group.name}` }).click()
  const question = page.getByRole('dialog', { name: 'Delete group?' })
  await buildShare(anna, await buildFolder(anna), { group_id: group.id }, 'view')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await question.getByText('This also removes 1 share').waitFor()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await row(page, group.name).waitFor({ state: 'detached' })
})

const findTeam = async (name: string) =>
  (await admin.call(listSpaces, { all: 'true' })).spaces.find(space => space.name === name)

test('team folders are made, changed and deleted by who does not see their files', async () => {
  const { page, offences } = await open(admin, '/team-folders')
  await page.getByText('You are in no team folder yet').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('link', { name: 'New Team Folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Team Folder' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const begin = page.getByRole('button', { name: 'New Team Folder' })
  await expect.poll(() => begin.evaluate(element => element === document.activeElement)).toBe(true)
  await begin.press('Enter')
  await dialog.getByLabel('Name').fill('Choir')
  await dialog.getByLabel('Storage quota (GB)').fill('2')
  await dialog.getByRole('button', { name: 'Take out boss' }).click()
  await dialog.getByRole('button', { name: 'Create Team Folder' }).click()
  await dialog.getByText('Choose at least one manager').waitFor()
  await choose(page, 'Add a manager', 'anna')
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create Team Folder' }).click()
  await row(page, 'Choir').getByTitle('0 Bytes of 2.00 GB, 0.0% used').waitFor()
  await row(page, 'Choir').getByText('anna').waitFor()
  expect(await findTeam('Choir')).toMatchObject({ level: null, managers: [{ username: 'anna' }] })

  await page.getByRole('button', { name: 'Edit Choir' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Team Folder' })
  await expect.poll(() => edit.getByLabel('Name').isDisabled()).toBe(true)
  await choose(page, 'Add a manager', 'berta')
  await edit.getByRole('button', { name: 'Save' }).click()
  await row(page, 'Choir').getByText('anna, berta').waitFor()

  const team = await findTeam('Choir')
  await buildFile(anna, { parent_id: team?.folder_id })
  await page.getByRole('button', { name: 'Delete Choir' }).click()
  const question = page.getByRole('dialog', { name: 'Delete team folder?' })
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await question.getByText('This team folder is not empty.').waitFor()
  await question.getByRole('button', { name: 'Delete all' }).click()
  await question.getByText('Type the name of the team folder').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await question.getByLabel('Type “Choir” to confirm').fill('Choir')
  await question.getByRole('button', { name: 'Delete all' }).click()
  await page.getByText('No team folders yet').waitFor()
  expect(await findTeam('Choir')).toBeUndefined()
  expect(offences).toEqual([])
})

test('who manages team folders alone finds managers by their names', async () => {
  const role = await buildRole(server, ['spaces:manage'])
  const keeper = await buildUser(server, { username: 'keeper', role })
  const { page } = await open(keeper, '/settings', phone)
  await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Team Folders'])
  await page.getByRole('button', { name: 'New Team Folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Team Folder' })
  await dialog.getByLabel('Name').fill('Orchestra')
  await choose(page, 'Add a manager', 'berta')
  await dialog.getByRole('button', { name: 'Take out keeper' }).click()
  await dialog.getByRole('button', { name: 'Create Team Folder' }).click()
  await row(page, 'Orchestra').getByText('Managed by berta').waitFor()
  expect(await findBarriers(page)).toEqual([])
})

test('the settings of sharing are turned off and on, and go back when the server refuses', async () => {
  const { page } = await open(admin, '/settings/system')
  const sharing = page.getByRole('region', { name: 'Sharing' })
  await sharing.getByRole('switch', { name: 'Share with everyone' }).uncheck()
  await sharing.getByRole('switch', { name: 'Find people by a part of their name' }).uncheck()
  await expect
    .poll(() => admin.call(getSharingSettings, {}))
    .toMatchObject({ people: true, everyone: false, find_people: 'exact' })
  await breakCall(page, '**/api/sharing/settings', 'PUT')
  await sharing.getByRole('switch', { name: 'Share with people' }).click()
  await page.getByText("Failed to turn off 'Share with people'").waitFor()
  await expect.poll(() => sharing.getByRole('switch', { name: 'Share with people' }).isChecked()).toBe(true)
})

test('an error of a list is shown with a way to try again', async () => {
  const { page } = await open(admin, '/settings/system')
  await breakCall(page, '**/api/groups', 'GET')
  await page.getByRole('tab', { name: 'Groups' }).click()
  await page.getByText('Failed to load groups').waitFor()
  await page.unroute('**/api/groups')
  await page.getByRole('button', { name: 'Retry' }).click()
  await row(page, 'Everyone').waitFor()
})

test('deleting the only manager of a team folder asks who takes over', async () => {
  const [manager, heir] = [
    await buildUser(server, { username: 'ludwig' }),
    await buildUser(server, { username: 'mia' }),
  ]
  await buildTeam(admin, manager)
  const { page } = await open(admin, '/settings/users')
  await page.getByRole('button', { name: 'Delete ludwig' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete user?' })
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByText('This user is the only manager of').waitFor()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('alert').getByText('Choose who manages the team folders').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await dialog.getByRole('combobox', { name: 'Team folders go to' }).fill('mia')
  await page.getByRole('option', { name: 'mia' }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await row(page, 'ludwig').waitFor({ state: 'detached' })
  expect((await heir.call(listSpaces, {})).spaces).toMatchObject([{ level: 'manage' }])
})

test('disabling a user names the team folders that nobody manages then', async () => {
  await buildTeam(admin, await buildUser(server, { username: 'cora' }), 'Orchestra')
  const { page, offences } = await open(admin, '/settings/users')
  await page.getByRole('button', { name: 'Edit cora' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit cora' })
  await dialog.getByRole('switch', { name: 'Active' }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row(page, 'cora').getByText('Inactive').waitFor()
  await page.getByRole('status').getByText('Nobody who is active manages Orchestra now').waitFor()
  expect(offences).toEqual([])
})
