/** Links in the Share dialog: made, copied, shown, changed, paused and ended, by mouse, keyboard and touch. */
import { expect, test } from 'vitest'
import { createLink, listLinkEvents } from '../../src/api/links.ts'
import { listAccess } from '../../src/api/shares.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { findBarriers, findBarriersInBothThemes } from './accessible.ts'
import { phone, row } from './browser.ts'
import {
  address,
  chooseFor,
  copied,
  dialogOf,
  enterAs,
  links,
  linksOf,
  openDialog,
  openLinkSite,
  part,
} from './link-dialog.ts'
import { server } from './site.ts'

openLinkSite()

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
  await links(page).getByText('not used yet').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])

  await links(page)
    .getByRole('button', { name: /^QR code/ })
    .click()
  await links(page).getByRole('img', { name: 'QR code of the link' }).waitFor()
  expect(await findBarriers(page)).toEqual([])

  await chooseFor(links(page), 'Change…')
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

  await chooseFor(links(page), 'Change…')
  await part(page).getByRole('button', { name: 'Remove the password' }).click()
  await part(page).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => links(page).getByText('with a password').count()).toBe(0)

  await chooseFor(links(page), 'Pause')
  await links(page).getByText('Paused: its address leads nowhere until you resume it.').waitFor()
  expect(
    await links(page)
      .getByText(/paused/i)
      .count(),
  ).toBe(1)
  expect(
    await links(page)
      .getByRole('button', { name: /Resume|Save|Cancel/ })
      .allInnerTexts(),
  ).toEqual(['Resume'])
  await links(page).getByRole('button', { name: 'Resume' }).click()
  await expect.poll(async () => (await linksOf(anna, file.id))[0]?.works).toBe(true)

  await chooseFor(links(page), 'End link…')
  const question = page.getByRole('dialog', { name: 'End link?' })
  await question.getByText('stops working for good').waitFor()
  await question.getByRole('button', { name: 'End link' }).click()
  await expect.poll(() => links(page).count()).toBe(0)
  expect(await linksOf(anna, file.id)).toEqual([])
  // No empty list keeps the focus.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Create link')
  expect(offences).toEqual([])
})

test('a file request is made with the keyboard alone, with its options in the creating call', async context => {
  onlyNightly(context)
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
  await links(page).getByText('at most 2.00 GB').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => dialogOf(page).count()).toBe(0)
  expect(offences).toEqual([])
})

test('on a phone the menu opens the dialog, and the link is made, shown and ended by touch', async context => {
  onlyNightly(context)
  const anna = await buildUser(server)
  await buildFolder(anna, 'Photos')
  const { page, offences } = await enterAs(anna, '/files', phone)
  await page.getByRole('button', { name: 'More actions for Photos' }).tap()
  await page.getByRole('button', { name: 'Share…' }).tap()
  await part(page).getByRole('button', { name: 'Create link' }).tap()
  await expect.poll(() => copied(page)).toMatch(address)
  for (const name of ['Password, last day…', 'New link', 'Copy link']) {
    const words = part(page).getByRole('button', { name, exact: true }).getByText(name)
    expect(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
  }
  await links(page)
    .getByRole('button', { name: /^QR code/ })
    .tap()
  await links(page).getByRole('img', { name: 'QR code of the link' }).waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await chooseFor(links(page), 'Pause')
  await links(page).getByRole('button', { name: 'Resume' }).waitFor()
  await chooseFor(links(page), 'End link…')
  await page.getByRole('dialog', { name: 'End link?' }).getByRole('button', { name: 'End link' }).tap()
  await expect.poll(() => links(page).count()).toBe(0)
  expect(offences).toEqual([])
})

test('a leaking link is paused and ended from its row with the keyboard, and the dialog stays', async context => {
  onlyNightly(context)
  const anna = await buildUser(server)
  const file = await buildFile(anna, { name: 'plan.txt' })
  for (const label of ['Customers', 'Press']) await anna.call(createLink, { item_id: file.id, level: 'view', label })
  const { page, offences } = await enterAs(anna, '/files')
  await openDialog(page, 'plan.txt')
  const more = (label: string) => links(page).getByRole('button', { name: `More actions for ${label}` })
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await links(page).filter({ hasText: 'Press' }).getByText('/s/').waitFor()
  await more('Press').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Change…' }).waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('More actions for Press')

  await page.keyboard.press('Enter')
  await page.keyboard.type('p')
  await page.keyboard.press('Enter')
  await links(page).filter({ hasText: 'Press' }).getByText('Paused:').waitFor()
  expect((await linksOf(anna, file.id)).map(({ label, works }) => [label, works])).toEqual([
    ['Press', false],
    ['Customers', true],
  ])
  await expect.poll(focused).toBe('More actions for Press')

  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'End link?' }).getByRole('button', { name: 'End link' }).press('Enter')
  await expect.poll(() => links(page).count()).toBe(1)
  await expect.poll(focused).toBe('More actions for Customers')
  expect(offences).toEqual([])
})

test('a link that exists is copied, and another with the same terms is made only on request', async context => {
  onlyNightly(context)
  const anna = await buildUser(server)
  const folder = await buildFolder(anna, 'Docs')
  const { page, offences } = await enterAs(anna, '/files')
  await openDialog(page, 'Docs')
  const press = (name: string) => part(page).getByRole('button', { name, exact: true }).click()
  await press('Create link')
  await links(page).first().waitFor()
  const [made] = await linksOf(anna, folder.id)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Copy link')
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await press('Copy link')
  await page.getByRole('status').getByText('Link copied').waitFor()
  expect(await copied(page)).toBe(`${server.url}/s/${made?.token}`)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(await linksOf(anna, folder.id)).toHaveLength(1)

  await press('New link')
  await expect.poll(() => links(page).count()).toBe(2)
  await part(page).getByLabel('Visitors may').selectOption('View and upload')
  await press('Create link')
  await expect.poll(() => links(page).count()).toBe(3)
  await press('Password, last day…')
  await press('Copy link')
  await part(page).getByLabel('Label').fill('Customers')
  await press('Create link')
  await links(page).getByText('Customers').waitFor()
  expect((await linksOf(anna, folder.id)).map(({ level, label }) => [level, label])).toEqual([
    ['both', 'Customers'],
    ['both', null],
    ['view', null],
    ['view', null],
  ])
  expect(offences).toEqual([])
})

test('a browser without a clipboard still shows the address', async context => {
  onlyNightly(context)
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

test('the dialog tells what a link was used for, one by one', async () => {
  const anna = await buildUser(server)
  const file = await buildFile(anna, { name: 'plan.txt' }, 'the plan')
  const { link } = await anna.call(createLink, { item_id: file.id, level: 'view', label: 'Customers' })
  await fetch(`${server.url}/api/s/${link.token}`)
  expect(await (await fetch(`${server.url}/api/s/${link.token}/download`)).text()).toBe('the plan')
  await expect.poll(async () => (await anna.call(listLinkEvents, { id: link.id })).events.length).toBe(1)
  const { page, offences } = await enterAs(anna, '/files')
  await openDialog(page, 'plan.txt')
  await links(page).getByRole('button', { name: 'Opened once, 1 download · last used today' }).click()
  const events = links(page).getByRole('list', { name: 'What it was used for' }).getByRole('listitem')
  await events.filter({ hasText: '127.0.0.1' }).getByText('Downloaded plan.txt').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(offences).toEqual([])
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
  await access.filter({ hasText: 'Anyone with one of 2 links' }).getByText('View, View and upload').waitFor()
  const above = access.filter({ hasText: 'because of the folder Outer' })
  await above.getByText('Anyone with the link').waitFor()
  await above.getByText('Press').waitFor()
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.keyboard.press('i')
  await page.getByRole('button', { name: '3 links' }).waitFor()
})
