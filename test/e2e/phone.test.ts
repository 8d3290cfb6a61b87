/** The page on a phone, and in the dark theme. */
import { expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { chooseFiles, desktop, enter, listedNames, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

test('the menu opens sections and the account, and signs out', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open(phone)
  await enter(page, user)
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await page.getByRole('button', { name: 'Menu' }).tap()
  await menu.getByRole('link', { name: 'Trash' }).tap()
  await page.getByText('Trash is empty').waitFor()
  await menu.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Menu' }).tap()
  await menu.getByRole('link', { name: `Welcome, ${user.username}` }).tap()
  await page.getByLabel('Current password').waitFor()
  await menu.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Menu' }).tap()
  await menu.getByRole('button', { name: 'Logout' }).tap()
  await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
  expect(offences).toEqual([])
})

test('the key / opens the search where no box is shown, and takes one to the box that is', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'needle.txt' })
  const { page, offences } = await browser.open(phone)
  await enter(page, user)
  await row(page, 'needle.txt').waitFor()
  // What is typed before the search is there is kept, and acts on nothing else.
  let load = (): void => undefined
  const held = new Promise<void>(resolve => {
    load = resolve
  })
  await page.route(/\.js$/, route => held.then(() => route.continue()))
  const box = page.getByRole('searchbox')
  await page.keyboard.press('/')
  await page.keyboard.type('needles')
  for (const key of ['Backspace', 'Delete', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
  expect(await box.count()).toBe(0)
  load()
  await page.getByText('1 result').waitFor()
  expect(await box.inputValue()).toBe('needle')
  await page.goBack()
  await row(page, 'needle.txt').waitFor()
  await page.keyboard.press('/')
  await expect.poll(() => box.evaluate(field => field === document.activeElement)).toBe(true)
  await page.keyboard.type('needle')
  await page.getByText('1 result').waitFor()
  await box.blur()
  await page.keyboard.press('/')
  expect(await box.evaluate(field => field === document.activeElement)).toBe(true)
  expect(await box.inputValue()).toBe('needle')
  expect(offences).toEqual([])
})

test('taps open, sort, select, rename, delete and upload', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Box')
  await buildFile(user, { name: 'big.txt', parent_id: folder.id }, 'x'.repeat(500))
  await buildFile(user, { name: 'small.txt', parent_id: folder.id }, 'x')
  const { page, offences } = await browser.open(phone)
  await enter(page, user)
  await row(page, 'Box').tap()
  await row(page, 'big.txt').waitFor()

  await page.getByRole('button', { name: 'Sort: Name, ascending' }).tap()
  await page.getByRole('dialog', { name: 'Sort by' }).getByRole('button', { name: 'Size' }).tap()
  await expect.poll(() => listedNames(page)).toEqual(['small.txt', 'big.txt'])

  await page.getByRole('button', { name: 'More actions for small.txt' }).tap()
  await page.getByRole('button', { name: 'Rename' }).tap()
  const field = page.getByLabel('New name for small.txt')
  await field.fill('tiny.txt')
  await field.press('Enter')
  await row(page, 'tiny.txt').waitFor()

  await page.getByRole('checkbox', { name: 'Select big.txt' }).tap()
  await page.getByText('1 selected').waitFor()
  await row(page, 'tiny.txt').tap()
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Delete' }).tap()
  await page.getByText('This folder is empty').waitFor()

  await chooseFiles(page, [{ name: 'from phone.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }])
  await row(page, 'from phone.txt').waitFor()
  expect(offences).toEqual([])
})

test('no row shifts when a selection begins or ends', async context => {
  onlyNightly(context)
  const user = await buildUser(server)
  await buildFile(user, { name: 'needle one.txt' })
  await buildFile(user, { name: 'needle two.txt' })
  await user.call(trashFile, { id: (await buildFile(user, { name: 'needle gone.txt' })).id })
  const { page } = await browser.open(phone)
  await enter(page, user)
  const first = page.getByRole('grid').locator('[data-index="0"]')
  const top = async () => (await first.boundingBox())?.y
  for (const path of ['/files', '/search?q=needle', '/recent', '/overview/largest', '/trash']) {
    await page.goto(path)
    await first.waitFor()
    const before = await top()
    await first.getByRole('checkbox').tap()
    await page.getByText('1 selected').waitFor()
    expect(await top(), path).toBe(before)
    await page.getByRole('button', { name: 'Clear selection' }).tap()
    await page.getByText('1 selected').waitFor({ state: 'detached' })
    expect(await top(), path).toBe(before)
  }
})

test('names start at the same edge in every script, and are cut between whole characters', async () => {
  const user = await buildUser(server)
  const family = '👨‍👩‍👧'
  for (const name of ['abc.txt', 'אבג.txt', `${family.repeat(12)}.old`]) await buildFile(user, { name })
  const { page } = await browser.open(phone)
  await enter(page, user)
  await row(page, 'abc.txt').waitFor()
  const leftOf = (name: string) =>
    row(page, name)
      .locator('[data-whole]')
      .evaluate(element => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return range.getBoundingClientRect().left
      })
  expect(await leftOf('אבג.txt')).toBe(await leftOf('abc.txt'))
  const shown = await row(page, `${family.repeat(12)}.old`)
    .locator('[data-whole]')
    .innerText()
  expect(shown).toMatch(new RegExp(`^(${family})+…(${family}){5}\\.old$`, 'u'))
})

test('the More menu of a selection copies the items and downloads them as one ZIP file', async () => {
  const user = await buildUser(server)
  for (const name of ['a.txt', 'b.txt']) await buildFile(user, { name })
  const { page } = await browser.open(phone)
  await enter(page, user)
  await page.getByRole('checkbox', { name: 'Select a.txt' }).tap()
  await page.getByRole('checkbox', { name: 'Select b.txt' }).tap()
  const more = page.getByRole('button', { name: 'More', exact: true })
  const sheet = page.getByRole('dialog', { name: 'More' })
  await more.tap()
  const download = page.waitForEvent('download')
  await sheet.getByRole('button', { name: 'Download as ZIP' }).tap()
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
  await more.tap()
  await sheet.getByRole('button', { name: 'Copy to…' }).tap()
  await page.getByRole('button', { name: 'Select This Location' }).tap()
  await row(page, 'a (1).txt').waitFor()
})

test('the upload tray sits above the button bar, or at the bottom edge of sections without one', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open(phone)
  await enter(page, user)
  await page.route('**/api/files/upload', route => route.abort())
  await chooseFiles(page, [{ name: 'broken.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }])
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('Upload failed').first().waitFor()
  const gap = async () => {
    const box = await tray.boundingBox()
    return box && 844 - box.y - box.height
  }
  expect(await gap()).toBe(72)
  await page.getByRole('button', { name: 'Menu' }).tap()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Trash' }).tap()
  await page.getByText('Trash is empty').waitFor()
  expect(await gap()).toBe(0)
})

test('no section is wider than the phone', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: `${'W'.repeat(250)}.txt` })
  const { page } = await browser.open(phone)
  await enter(page, user)
  await page.getByRole('grid').waitFor()
  for (const path of ['/files', '/trash', '/account', '/nowhere']) {
    await page.goto(path)
    await page.getByRole('main').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  }
})

test('the theme follows the system until the user chooses one, and a reload keeps the choice', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open({ ...desktop, colorScheme: 'dark' })
  await enter(page, user)
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await expect.poll(ground).toBe('rgb(13, 14, 17)')
  await page.getByRole('button', { name: 'Light mode' }).click()
  await expect.poll(ground).toBe('rgb(242, 243, 245)')
  await page.reload()
  await page.getByRole('button', { name: 'Dark mode' }).waitFor()
  await expect.poll(ground).toBe('rgb(242, 243, 245)')
  expect(offences).toEqual([])
})
