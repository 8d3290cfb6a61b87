/** Links in the Share dialog: made, copied, changed, paused, ended; who may make them; and in lists of their own. */
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createLink, listLinks } from '../../src/api/links.ts'
import { listAccess, updateSharingSettings } from '../../src/api/shares.ts'
import { listSpaces, updateSpace } from '../../src/api/spaces.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildRole,
  buildShare,
  buildTeam,
  buildUser,
  userRolePermissions,
} from '../support/factories.ts'
import { findBarriers, findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let admin: BuiltUser

openSite()

beforeAll(async () => {
  admin = await buildUser(server, { role: 'admin' })
})

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const address = /^http:\/\/127\.0\.0\.1:\d+\/s\/[\w-]{22}$/

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^(Share|Members)/ })
const part = (page: Page) => dialogOf(page).getByRole('region', { name: 'Links' })
const links = (page: Page) => part(page).getByRole('list', { name: 'Links' }).locator(':scope > li')
const linksOf = async (user: BuiltUser, item_id: number) => (await user.call(listLinks, { item_id })).links

async function enterAs(user: BuiltUser, path: string, options = desktop) {
  const opened = await browser.open({ ...options, ...clipboard })
  await enter(opened.page, user, path)
  return opened
}

/** Opens the dialog on a row with the key for it. */
async function openDialog(page: Page, name: string): Promise<void> {
  await row(page, name).click()
  await page.keyboard.press('p')
  await part(page).waitFor()
}

/** Changes the rules of sharing for one test. */
async function setRules(rules: Parameters<typeof admin.call<typeof updateSharingSettings>>[1]): Promise<void> {
  await admin.call(updateSharingSettings, rules)
}

beforeEach(() =>
  setRules({ people: true, links: true, link_uploads: true, link_password_required: false, link_max_days: 0 }),
)

test('one press makes a link and copies its address, which can be shown again, changed, paused and ended', async () => {
  const anna = await buildUser(server)
  const file = await buildFile(anna, { name: 'plan.txt' })
  const { page, offences } = await enterAs(anna, '/files')
  await openDialog(page, 'plan.txt')
  await part(page).getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('status').getByText('Link created and copied').waitFor()
  const [made] = await linksOf(anna, file.id)
  expect(await copied(page)).toBe(`${server.url}/s/${made?.token}`)
  expect(made).toMatchObject({ level: 'view', label: null, expires_at: null, has_password: false })
  await links(page)
    .getByText(`127.0.0.1:${new URL(server.url).port}/s/${made?.token}`)
    .waitFor()
  await links(page).getByText('Not used yet').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])

  await links(page)
    .getByRole('button', { name: /^QR code/ })
    .click()
  await links(page).getByRole('img', { name: 'QR code of the link' }).waitFor()
  expect(await findBarriers(page)).toEqual([])

  await links(page)
    .getByRole('button', { name: /^Change/ })
    .click()
  await part(page).getByLabel('Label').last().fill('Customers')
  await part(page).getByLabel('Password').last().fill('short')
  await part(page).getByRole('button', { name: 'Save' }).click()
  await part(page).getByText('Use at least 8 characters').waitFor()
  await part(page).getByLabel('Password').last().fill('long enough')
  await part(page).getByLabel('Last day').last().fill('2099-05-04')
  await part(page).getByLabel('Downloads at most').last().fill('3')
  expect(await findBarriers(page)).toEqual([])
  await part(page).getByRole('button', { name: 'Save' }).click()
  await links(page).getByText('with a password').waitFor()
  await links(page).getByText('until 04 May 2099').waitFor()
  expect(await linksOf(anna, file.id)).toMatchObject([
    { id: made?.id, label: 'Customers', has_password: true, max_downloads: 3, token: made?.token },
  ])

  await links(page).getByRole('button', { name: 'Change Customers' }).click()
  await part(page).getByRole('button', { name: 'Remove the password' }).click()
  await part(page).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => links(page).getByText('with a password').count()).toBe(0)

  await links(page).getByRole('button', { name: 'Change Customers' }).click()
  await part(page).getByRole('button', { name: 'Pause' }).click()
  await links(page).getByText('Paused: its address leads nowhere until you resume it.').waitFor()
  await part(page).getByRole('button', { name: 'Cancel' }).click()
  await links(page).getByRole('button', { name: 'Resume' }).click()
  await expect.poll(async () => (await linksOf(anna, file.id))[0]?.works).toBe(true)

  await links(page).getByRole('button', { name: 'Change Customers' }).click()
  await part(page).getByRole('button', { name: 'End link…' }).click()
  const question = page.getByRole('dialog', { name: 'End link?' })
  await question.getByText('stops working for good').waitFor()
  await question.getByRole('button', { name: 'End link' }).click()
  await expect.poll(() => links(page).count()).toBe(0)
  expect(await linksOf(anna, file.id)).toEqual([])
  expect(offences).toEqual([])
})

test('a file request is made with the keyboard alone, with its options in the creating call', async () => {
  const anna = await buildUser(server)
  const folder = await buildFolder(anna, 'Homework')
  const { page, offences } = await enterAs(anna, '/files')
  await openDialog(page, 'Homework')
  await part(page).getByLabel('Visitors may').focus()
  await page.keyboard.press('ArrowDown')
  await part(page).getByText('Anyone with the link hands in files').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Class 7b')
  for (const text of ['', '', '2']) {
    await page.keyboard.press('Tab')
    if (text !== '') await page.keyboard.type(text)
  }
  await part(page).getByLabel('Uploads at most (GB)').fill('2')
  await part(page).getByLabel('Ask for a name').focus()
  await page.keyboard.press('Space')
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await links(page).getByText('Class 7b').waitFor()
  expect(await linksOf(anna, folder.id)).toMatchObject([
    { level: 'upload', label: 'Class 7b', ask_name: true, max_bytes: 2 * 1024 ** 3 },
  ])
  await links(page).getByText('asks for a name').waitFor()
  await links(page).getByText('0.00 of 2.00 GB uploaded').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => dialogOf(page).count()).toBe(0)
  expect(offences).toEqual([])
})

test('on a phone the menu opens the dialog, and the link is made, shown and ended by touch', async () => {
  const anna = await buildUser(server)
  await buildFolder(anna, 'Photos')
  const { page, offences } = await enterAs(anna, '/files', phone)
  await page.getByRole('button', { name: 'More actions for Photos' }).tap()
  await page.getByRole('button', { name: 'Share…' }).tap()
  await part(page).getByRole('button', { name: 'Create link' }).tap()
  await expect.poll(() => copied(page)).toMatch(address)
  await links(page)
    .getByRole('button', { name: /^QR code/ })
    .tap()
  await links(page).getByRole('img', { name: 'QR code of the link' }).waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await links(page)
    .getByRole('button', { name: /^Change/ })
    .tap()
  await part(page).getByRole('button', { name: 'End link…' }).tap()
  await page.getByRole('dialog', { name: 'End link?' }).getByRole('button', { name: 'End link' }).tap()
  await expect.poll(() => links(page).count()).toBe(0)
  expect(offences).toEqual([])
})

test('a browser without a clipboard still shows the address', async () => {
  const anna = await buildUser(server)
  await buildFile(anna, { name: 'plan.txt' })
  const { page, offences } = await enterAs(anna, '/files')
  await row(page, 'plan.txt').waitFor()
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await openDialog(page, 'plan.txt')
  await part(page).getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('status').getByText('Link created', { exact: true }).waitFor()
  await links(page).getByText('/s/').waitFor()
  expect(offences).toEqual([])
})

describe('the rules of the server', () => {
  test('a needed password is asked for before the link is made, and the end is set to what is allowed', async () => {
    await setRules({ link_password_required: true, link_max_days: 7 })
    const anna = await buildUser(server)
    const file = await buildFile(anna, { name: 'plan.txt' })
    const { page, offences } = await enterAs(anna, '/files')
    await openDialog(page, 'plan.txt')
    await part(page).getByRole('button', { name: 'Create link' }).click()
    await part(page).getByText('Links need a password on this server', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe('None')
    await page.keyboard.type('long enough')
    await page.keyboard.press('Enter')
    await links(page).getByText('with a password').waitFor()
    const [made] = await linksOf(anna, file.id)
    expect(Date.parse(made?.expires_at ?? '') - Date.now()).toBeLessThanOrEqual(7 * 24 * 60 * 60 * 1000)
    expect(made?.works).toBe(true)

    await setRules({ link_password_required: false, link_max_days: 0 })
    await anna.call(createLink, { item_id: file.id, level: 'view', label: 'Open' })
    await setRules({ link_password_required: true })
    await page.reload()
    await openDialog(page, 'plan.txt')
    const open = links(page).filter({ hasText: 'Open' })
    await open.getByText('Links need a password on this server. Set one to make it work again.').waitFor()
    await open.getByRole('button', { name: 'Change', exact: true }).click()
    await open.getByLabel('Password').fill('another one')
    await open.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await linksOf(anna, file.id)).map(({ works }) => works)).toEqual([true, true])
    expect(offences).toEqual([])
  })

  test('with links turned off none is offered, and those that exist say so and can be ended', async () => {
    const anna = await buildUser(server)
    const folder = await buildFolder(anna, 'Docs')
    await anna.call(createLink, { item_id: folder.id, level: 'view', label: 'Old' })
    await setRules({ links: false })
    const { page, offences } = await enterAs(anna, '/files')
    await openDialog(page, 'Docs')
    await part(page).getByText('Links are turned off on this server.').waitFor()
    await links(page).getByText('An administrator can turn them on.').waitFor()
    expect(await part(page).getByRole('button', { name: 'Create link' }).count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    expect(offences).toEqual([])
  })

  test('with uploads turned off, folders are shared to be seen alone', async () => {
    await setRules({ link_uploads: false })
    const anna = await buildUser(server)
    await buildFolder(anna, 'Docs')
    const { page } = await enterAs(anna, '/files')
    await openDialog(page, 'Docs')
    await part(page).getByRole('button', { name: 'Create link' }).waitFor()
    expect(await part(page).getByLabel('Visitors may').count()).toBe(0)
  })
})

describe('who may make links', () => {
  test('without the permission there are none, and the dialog says why', async () => {
    const role = await buildRole(
      server,
      userRolePermissions.filter(key => key !== 'files:link'),
    )
    const anna = await buildUser(server, { role })
    await buildFile(anna, { name: 'plan.txt' })
    const { page } = await enterAs(anna, '/files')
    await openDialog(page, 'plan.txt')
    await part(page).getByText('Your role does not let you make links.').waitFor()
    await page.goto('/shared/links')
    await page.getByText('Page not found').or(page.getByText('There is nothing here')).first().waitFor()
  })

  test('who may make links but not share with people opens the dialog for the links alone', async () => {
    const role = await buildRole(
      server,
      userRolePermissions.filter(key => key !== 'files:share'),
    )
    const anna = await buildUser(server, { role })
    await buildFile(anna, { name: 'plan.txt' })
    const { page, offences } = await enterAs(anna, '/files')
    await row(page, 'plan.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Share…' }).click()
    await part(page).getByRole('button', { name: 'Create link' }).click()
    await links(page).getByText('Not used yet').waitFor()
    expect(await dialogOf(page).getByRole('region').allInnerTexts()).toHaveLength(1)
    expect(await findBarriers(page)).toEqual([])
    expect(offences).toEqual([])
  })

  test('a team folder has none itself; its managers decide whether its editors make them in it', async () => {
    const [anna, ben] = [await buildUser(server), await buildUser(server)]
    const team = await buildTeam(admin, anna, 'Marketing')
    await buildShare(anna, { id: team.folder_id }, ben, 'edit')
    await buildFile(anna, { name: 'plan.txt', parent_id: team.folder_id })
    const editor = await enterAs(ben, `/files/${team.folder_id}`)
    await row(editor.page, 'plan.txt').click({ button: 'right' })
    await editor.page.getByRole('menuitem', { name: 'Download' }).waitFor()
    expect(await editor.page.getByRole('menuitem', { name: 'Share…' }).count()).toBe(0)

    const manager = await enterAs(anna, '/team-folders')
    await manager.page.getByRole('button', { name: 'Members of Marketing' }).click()
    await part(manager.page).getByText('A team folder itself has no links.').waitFor()
    expect(await findBarriersInBothThemes(manager.page)).toEqual([])
    await part(manager.page).getByRole('switch', { name: 'Editors may make links' }).check()
    const isAllowed = async () => (await anna.call(listSpaces, {})).spaces[0]?.editors_may_link
    await expect.poll(isAllowed).toBe(true)

    await editor.page.reload()
    await row(editor.page, 'plan.txt').click({ button: 'right' })
    await editor.page.getByRole('menuitem', { name: 'Share…' }).click()
    await part(editor.page).getByRole('button', { name: 'Create link' }).click()
    await links(editor.page).getByText('Not used yet').waitFor()

    await anna.call(updateSpace, { id: team.id, editors_may_link: false })
    await manager.page.goto(`/files/${team.folder_id}`)
    await openDialog(manager.page, 'plan.txt')
    await links(manager.page).getByText(`by ${ben.username}`).waitFor()
    await links(manager.page).getByText(`${ben.username} may no longer make links here.`).waitFor()
    await links(manager.page).getByRole('button', { name: 'Take over' }).click()
    await manager.page.getByText('The link is yours now').waitFor()
    await expect.poll(() => links(manager.page).getByText(`by ${ben.username}`).count()).toBe(0)

    await editor.page.keyboard.press('Escape')
    await row(editor.page, 'plan.txt').click()
    await editor.page.keyboard.press('p')
    await part(editor.page).getByText('Only those who manage this place make links here.').waitFor()
    expect([...editor.offences, ...manager.offences]).toEqual([])
  })
})

test('who has access tells the links on the item and on the folders above', async () => {
  const anna = await buildUser(server)
  const outer = await buildFolder(anna, 'Outer')
  const inner = await buildFolder(anna, 'Inner', outer.id)
  await anna.call(createLink, { item_id: outer.id, level: 'view', label: 'Press' })
  for (const level of ['view', 'both'] as const) await anna.call(createLink, { item_id: inner.id, level })
  expect((await anna.call(listAccess, { id: inner.id })).access).toHaveLength(4)
  const { page } = await enterAs(anna, `/files/${outer.id}`)
  await openDialog(page, 'Inner')
  const access = dialogOf(page).getByRole('region', { name: 'Who has access' }).getByRole('listitem')
  await access.filter({ hasText: 'Anyone with one of 2 links' }).getByText('View and upload, View').waitFor()
  const above = access.filter({ hasText: 'because of the folder Outer' })
  await above.getByText('Anyone with the link').waitFor()
  await above.getByText('Press').waitFor()
})

describe('the list of own links', () => {
  test('tells what each is on, its label and whether it works; copies, pauses and ends', async () => {
    const anna = await buildUser(server)
    const docs = await buildFolder(anna, 'Docs')
    const file = await buildFile(anna, { name: 'plan.txt', parent_id: docs.id }, 'the plan')
    const { link } = await anna.call(createLink, { item_id: file.id, level: 'view', label: 'Customers' })
    await anna.call(createLink, { item_id: docs.id, level: 'upload' })
    const { page, offences } = await enterAs(anna, '/shared')
    await page.getByRole('tab', { name: 'My links' }).click()
    const table = page.getByRole('table', { name: 'My links' })
    const plan = table.getByRole('row', { name: 'plan.txt' })
    const cells = async () => (await plan.getByRole('cell').allInnerTexts()).slice(0, 5)
    await expect.poll(cells).toEqual(['plan.txt', 'Customers', 'not used yet', 'View', 'Works'])
    expect(await findBarriersInBothThemes(page)).toEqual([])

    await plan.hover()
    await plan.getByRole('button', { name: 'Copy the link of plan.txt, Customers' }).click()
    await page.getByRole('status').getByText('Link copied').waitFor()
    expect(await copied(page)).toBe(`${server.url}/s/${link.token}`)

    await plan.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await expect.poll(async () => (await cells())[4]).toContain('Paused')
    await plan.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Change…' }).click()
    await links(page).getByText('Customers').waitFor()
    await page.keyboard.press('Escape')

    await plan.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'End link…' }).click()
    await page.getByRole('dialog', { name: 'End link?' }).getByRole('button', { name: 'End link' }).click()
    await expect.poll(() => plan.count()).toBe(0)
    await table.getByRole('row', { name: 'Docs' }).getByRole('link').click()
    await row(page, 'plan.txt').waitFor()
    expect(offences).toEqual([])
  })

  test('is as useful on a phone, and says so when it is empty', async () => {
    const anna = await buildUser(server)
    const { page, offences } = await enterAs(anna, '/shared/links', phone)
    await page.getByText('You have no links yet').waitFor()
    const docs = await buildFolder(anna, 'Docs')
    await anna.call(createLink, { item_id: docs.id, level: 'upload', label: 'Class 7b' })
    await page.reload()
    await page.getByRole('row', { name: 'Docs' }).getByText('Class 7b').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'More actions for Docs, Class 7b' }).tap()
    await page.getByRole('button', { name: 'Copy link' }).tap()
    await expect.poll(() => copied(page)).toMatch(address)
    expect(offences).toEqual([])
  })
})

describe('the settings', () => {
  test('turn links on and off, and set how long they last', async () => {
    onTestFinished(() => setRules({ links: true, link_max_days: 0 }))
    const { page, offences } = await enterAs(admin, '/settings/system')
    const settings = page.getByRole('region', { name: 'Sharing' })
    const turn = (name: string) => settings.getByRole('switch', { name })
    await turn('Links need a password').check()
    await settings.getByLabel('Most days of a link').fill('30')
    await settings.getByRole('button', { name: 'Save' }).click()
    const profile = async () => await admin.call(updateSharingSettings, {})
    await expect.poll(profile).toMatchObject({ link_password_required: true, link_max_days: 30 })
    await settings.getByLabel('Most days of a link').fill('soon')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.getByText('Enter a whole number up to 3,650').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await settings.getByLabel('Most days of a link').fill('')
    await settings.getByRole('button', { name: 'Save' }).click()
    await expect.poll(profile).toMatchObject({ link_max_days: 0 })
    await turn('Share by link').uncheck()
    await settings.getByText('Has no effect until ‘Share by link’ is on.').first().waitFor()
    await expect.poll(() => turn('Uploads by link').isDisabled()).toBe(true)
    await expect.poll(profile).toMatchObject({ links: false })
    expect(offences).toEqual([])
  })

  test('list the links of all users without what they are on, and end each', async () => {
    const anna = await buildUser(server)
    const file = await buildFile(anna, { name: 'a secret name.txt' })
    await anna.call(createLink, { item_id: file.id, level: 'view', label: 'Customers' })
    const { page, offences } = await enterAs(admin, '/settings/links')
    const link = page.getByRole('row', { name: `of ${anna.username}: Customers` })
    await link.getByText('Works').waitFor()
    expect(await page.getByText('a secret name').count()).toBe(0)
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await link.hover()
    await link.getByRole('button', { name: 'End' }).click()
    await page.getByRole('dialog', { name: 'End link?' }).getByRole('button', { name: 'End link' }).click()
    await expect.poll(() => link.count()).toBe(0)
    expect(await linksOf(anna, file.id)).toEqual([])
    expect(offences).toEqual([])
  })
})
