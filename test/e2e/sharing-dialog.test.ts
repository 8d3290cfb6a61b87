/** The Share dialog: giving access, changing it and taking it away, what the other sees of it, and who has access why. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { updateProfile } from '../../src/api/auth.ts'
import { listAccess, updateSharingSettings } from '../../src/api/shares.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildGroup,
  buildRole,
  buildShare,
  buildTeam,
  buildUser,
  disableUser,
  userRolePermissions,
} from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { findBarriers } from './accessible.ts'
import { desktop, enter, onlyFirst, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let admin: BuiltUser

openSite()

beforeAll(async () => {
  admin = await buildUser(server, { role: 'admin' })
})

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^(Share|Members)/ })
const entry = (page: Page, name: string) =>
  dialogOf(page).getByRole('region', { name: 'Who has access' }).getByRole('listitem').filter({ hasText: name })
const levelOf = (page: Page, name: string) => dialogOf(page).getByLabel(`Access of ${name}`, { exact: true })

/** Opens the dialog on a row with the key for it. */
async function openDialog(page: Page, name: string): Promise<void> {
  await row(page, name).click()
  await page.keyboard.press('p')
  await dialogOf(page).getByText('Owner').waitFor()
}

/** Types a part of a name, and chooses whom it finds. */
async function choose(page: Page, text: string, name = text): Promise<void> {
  await dialogOf(page).getByRole('combobox', { name: 'People and groups' }).fill(text)
  await dialogOf(page).getByRole('option', { name }).click()
}

const give = (page: Page) =>
  dialogOf(page)
    .getByRole('button', { name: /^(Share|Add)$/ })
    .click()

async function enterAs(user: BuiltUser, path: string, options = desktop) {
  const opened = await browser.open(options)
  await enter(opened.page, user, path)
  return opened
}

test('with nothing marked, the key shares the folder on screen, and in Home nothing', async () => {
  const anna = await buildUser(server)
  const folder = await buildFolder(anna, 'Plans')
  await buildFile(anna, { name: 'a.txt', parent_id: folder.id })
  const { page } = await enterAs(anna, '/files')
  await row(page, 'Plans').waitFor()
  await page.keyboard.press('p')
  await page.getByRole('link', { name: 'Plans' }).first().click()
  await row(page, 'a.txt').waitFor()
  expect(await dialogOf(page).count()).toBe(0)
  await page.keyboard.press('p')
  await page.getByRole('dialog', { name: 'Share Plans' }).getByText('Owner').waitFor()
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+a')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('p')
  await page.getByRole('dialog', { name: 'Share a.txt' }).getByText('Owner').waitFor()
})

test('an owner gives access, changes it, ends it and takes it away, and the other sees each step', async () => {
  const [anna, ben] = [await buildUser(server), await buildUser(server)]
  await ben.call(updateProfile, { full_name: 'Benedikt Maximilian' })
  const docs = await buildFolder(anna, 'Docs')
  await buildFile(anna, { name: 'plan.txt', parent_id: docs.id })
  const giver = await enterAs(anna, '/files')
  const receiver = await enterAs(ben, '/files')

  await openDialog(giver.page, 'Docs')
  const finder = dialogOf(giver.page).getByRole('combobox', { name: 'People and groups' })
  await finder.fill('maximil')
  // Before somebody is found, Enter submits nothing.
  await finder.press('Enter')
  await giver.page.locator('[role="option"][data-combobox-selected]', { hasText: 'Benedikt Maximilian' }).waitFor()
  expect(await giver.page.getByText('Choose who gets access').count()).toBe(0)
  await finder.press('Enter')
  await dialogOf(giver.page).getByLabel('Access', { exact: true }).selectOption('Edit')
  await dialogOf(giver.page).getByText('They also upload, rename, move and delete what is in it.').waitFor()
  expect(await findBarriers(giver.page)).toEqual([])
  await give(giver.page)
  await giver.page.getByText(`Shared with ${ben.username}`).waitFor()
  await expect.poll(() => levelOf(giver.page, ben.username).inputValue()).toBe('edit')
  await entry(giver.page, 'Benedikt Maximilian').getByText(ben.username, { exact: true }).waitFor()

  await receiver.page.reload()
  await receiver.page.getByRole('link', { name: 'Shared 1 new' }).click()
  const received = receiver.page.getByRole('row', { name: 'Docs' })
  const cells = async () => (await received.getByRole('cell').allInnerTexts()).slice(0, 3)
  await expect.poll(cells).toEqual(['Docs\nNew', anna.username, 'Edit'])
  await received.getByRole('link', { name: 'Docs' }).click()
  await row(receiver.page, 'plan.txt').waitFor()
  expect(new URL(receiver.page.url()).pathname).toBe(`/files/${docs.id}`)

  await levelOf(giver.page, ben.username).selectOption('View')
  await entry(giver.page, ben.username).getByRole('button', { name: 'End of the access' }).click()
  await dialogOf(giver.page).getByLabel(`Last day of ${ben.username}`).fill('2099-05-04')
  await dialogOf(giver.page).getByRole('button', { name: 'Set end' }).click()
  await entry(giver.page, ben.username).getByText('until 04 May 2099').waitFor()
  await receiver.page.goto('/shared')
  await expect.poll(cells).toEqual(['Docs', anna.username, 'View'])
  await expect.poll(() => received.getByRole('cell').nth(4).innerText()).toBe('04 May 2099')

  await entry(giver.page, ben.username)
    .getByRole('button', { name: `Remove ${ben.username}` })
    .click()
  await expect.poll(() => entry(giver.page, ben.username).count()).toBe(0)
  await giver.page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => levelOf(giver.page, ben.username).inputValue()).toBe('view')
  await entry(giver.page, ben.username).getByText('until 04 May 2099').waitFor()
  await giver.page.keyboard.press('Escape')
  await row(giver.page, 'Docs').getByRole('img', { name: 'Shared' }).waitFor()

  await openDialog(giver.page, 'Docs')
  await entry(giver.page, ben.username)
    .getByRole('button', { name: `Remove ${ben.username}` })
    .click()
  await expect.poll(async () => (await anna.call(listAccess, { id: docs.id })).access.length).toBe(1)
  await receiver.page.reload()
  await receiver.page.getByText('Nothing is shared with you').waitFor()
  expect([...giver.offences, ...receiver.offences]).toEqual([])
})

describe('the dialog', () => {
  test('says who has access because of what, and why some access is without effect', async () => {
    const [anna, ben, gone] = [await buildUser(server), await buildUser(server), await buildUser(server)]
    const group = await buildGroup(admin, [gone])
    const outer = await buildFolder(anna, 'Outer')
    const inner = await buildFolder(anna, 'Inner', outer.id)
    await buildShare(anna, outer, ben, 'view')
    await buildShare(anna, inner, { group_id: group.id }, 'upload')
    const expired = await buildShare(anna, inner, gone, 'edit')
    const { db } = server.deps
    await db.touch(() =>
      db.change('UPDATE shares SET expires_at = $1 WHERE id = $2', [Date.parse('2026-01-02'), expired.id]),
    )
    const { page, offences } = await enterAs(anna, `/files/${outer.id}`)
    await openDialog(page, 'Inner')
    await entry(page, anna.username).getByText('(you)').waitFor()
    await entry(page, group.name).getByText('Group', { exact: true }).waitFor()
    await entry(page, gone.username).getByText('Expired on 02 Jan 2026').waitFor()
    await disableUser(server, gone.id)
    await db.touch(() => db.change('UPDATE shares SET expires_at = NULL WHERE id = $1', [expired.id]))
    await page.reload()
    await openDialog(page, 'Inner')
    await entry(page, gone.username).getByText('This user is disabled').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await entry(page, ben.username).getByText('because of the folder').waitFor()
    expect(await levelOf(page, ben.username).count()).toBe(0)
    await entry(page, ben.username).getByRole('link', { name: 'Outer' }).click()
    await expect.poll(() => dialogOf(page).count()).toBe(0)
    expect(offences).toEqual([])
  })

  test('shows what the server refuses beside what was asked, and takes a refused change back', async () => {
    const [anna, ben, carl] = [await buildUser(server), await buildUser(server), await buildUser(server)]
    const file = await buildFile(anna, { name: 'plan.txt' })
    await buildShare(anna, file, carl, 'view')
    const { page, offences } = await enterAs(anna, '/files')
    await page.route(
      '**/access',
      onlyFirst(route => route.abort()),
    )
    await row(page, 'plan.txt').click()
    await page.keyboard.press('p')
    await dialogOf(page).getByText('Failed to load who has access').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Retry' }).click()
    await entry(page, carl.username).waitFor()

    await dialogOf(page).getByLabel('Until (optional)').fill('2020-01-01')
    await give(page)
    await dialogOf(page).getByRole('alert').getByText('Choose who gets access').waitFor()
    await dialogOf(page).getByRole('alert').getByText('Choose today or a later day').waitFor()
    await dialogOf(page).getByLabel('Until (optional)').fill('')
    await choose(page, ben.username)
    await disableUser(server, ben.id)
    await give(page)
    await dialogOf(page).getByRole('alert').getByText(`${ben.username}: User not found`).waitFor()

    const failure = { status: 500, json: { success: false, message: 'No luck', error: 'internal', request_id: '' } }
    await page.route(
      '**/api/shares/*',
      onlyFirst(route => route.fulfill(failure)),
    )
    await levelOf(page, carl.username).selectOption('Edit')
    await entry(page, carl.username).getByRole('alert').getByText('No luck').waitFor()
    await expect.poll(() => levelOf(page, carl.username).inputValue()).toBe('view')
    expect(offences).toEqual([])
  })

  test('is not offered for what others own, nor to a role that may neither share nor make links', async () => {
    const [anna, ben] = [await buildUser(server), await buildUser(server)]
    const role = await buildRole(
      server,
      userRolePermissions.filter(permission => permission !== 'files:share' && permission !== 'files:link'),
    )
    const carl = await buildUser(server, { role })
    const docs = await buildFolder(anna, 'Docs')
    await buildFile(anna, { name: 'plan.txt', parent_id: docs.id })
    await buildShare(anna, docs, ben, 'edit')
    await buildFile(carl, { name: 'plan.txt' })
    for (const [user, path] of [
      [ben, `/files/${docs.id}`],
      [carl, '/files'],
    ] as const) {
      const { page } = await enterAs(user, path)
      await row(page, 'plan.txt').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Details' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Share…' }).count()).toBe(0)
    }
  })

  test('keeps to the settings of sharing: only whole usernames, or no people at all', async context => {
    onlyNightly(context)
    const [anna, ben] = [await buildUser(server), await buildUser(server)]
    const file = await buildFile(anna, { name: 'plan.txt' })
    onTestFinished(async () => {
      await admin.call(updateSharingSettings, { find_people: 'names', people: true })
    })
    await admin.call(updateSharingSettings, { find_people: 'exact' })
    const { page, offences } = await enterAs(anna, '/files')
    await openDialog(page, 'plan.txt')
    await dialogOf(page).getByText('Enter the whole username.').waitFor()
    await dialogOf(page).getByRole('combobox', { name: 'People and groups' }).fill(ben.username.slice(0, -1))
    await dialogOf(page).getByText('Nobody found').waitFor()
    await choose(page, ben.username)
    await give(page)
    await entry(page, ben.username).waitFor()
    await admin.call(updateSharingSettings, { find_people: 'names', people: false })
    await page.reload()
    await openDialog(page, 'plan.txt')
    await dialogOf(page).getByText('Sharing with people is turned off on this server.').waitFor()
    await entry(page, ben.username).getByText('Sharing with people is turned off').waitFor()
    await entry(page, ben.username)
      .getByRole('button', { name: `Remove ${ben.username}` })
      .click()
    await expect.poll(async () => (await anna.call(listAccess, { id: file.id })).access.length).toBe(1)
    expect(offences).toEqual([])
  })

  test('of a team folder has its members, of whom the last manager cannot leave', async context => {
    onlyNightly(context)
    const [manager, ben] = [await buildUser(server), await buildUser(server)]
    const team = await buildTeam(admin, manager, 'Lab')
    const { page, offences } = await enterAs(manager, '/team-folders')
    await page.getByRole('button', { name: 'Members of Lab' }).click()
    await page.getByRole('dialog', { name: 'Members of Lab' }).waitFor()
    await choose(page, ben.username)
    await dialogOf(page).getByLabel('Access', { exact: true }).selectOption('Manage')
    await give(page)
    await page.getByText(`Added ${ben.username}`).waitFor()
    await expect.poll(() => levelOf(page, ben.username).inputValue()).toBe('manage')
    await levelOf(page, ben.username).selectOption('View')
    await expect
      .poll(async () => (await manager.call(listAccess, { id: team.folder_id })).access[1]?.level)
      .toBe('view')
    await entry(page, manager.username).getByRole('button', { name: 'Leave' }).click()
    const question = page.getByRole('dialog', { name: 'Leave' })
    await question.getByText('You are the only manager of Lab. Make somebody else a manager first.').waitFor()
    expect(await question.getByRole('button', { name: 'Leave' }).isDisabled()).toBe(true)
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await findBarriers(page)).toEqual([])
    expect(offences).toEqual([])
  })

  test('on a phone opens from the menu of a row, and its targets are large enough for a finger', async () => {
    const [anna, ben] = [await buildUser(server), await buildUser(server)]
    await buildShare(anna, await buildFile(anna, { name: 'plan.txt' }), ben, 'view')
    const { page, offences } = await enterAs(anna, '/files', phone)
    await row(page, 'plan.txt').getByRole('img', { name: 'Shared' }).waitFor()
    await row(page, 'plan.txt').getByRole('button', { name: 'More actions for plan.txt' }).tap()
    await page.getByRole('dialog').getByText('Share…').tap()
    await entry(page, ben.username).waitFor()
    const targets = entry(page, ben.username).locator('button, select')
    const heights = await targets.evaluateAll(all => all.map(one => one.getBoundingClientRect().height))
    expect(heights).toEqual([44, 44, 44])
    expect(await findBarriers(page)).toEqual([])
    expect(offences).toEqual([])
  })
})
