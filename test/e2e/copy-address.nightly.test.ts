/** The address of a file or folder, copied from its menus and its details. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, listedNames, phone, row } from './browser.ts'
import { panel } from './details-panel.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function buildOwner() {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Docs')
  const file = await buildFile(user, { name: 'inner.txt', parent_id: folder.id }, 'what it says')
  return { user, folder, file }
}

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('on a %s the menu copies an address', (kind, device) => {
  const choose = (page: Page) =>
    page.getByRole(kind === 'phone' ? 'button' : 'menuitem', { name: 'Copy address' }).click()

  test('that opens the file', async () => {
    const { user, folder, file } = await buildOwner()
    const { page, offences } = await browser.open({ ...device, ...clipboard })
    await enter(page, user, `/files/${folder.id}`)
    await page.getByRole('button', { name: 'More actions for inner.txt' }).click()
    await choose(page)
    await page.getByRole('status').getByText('Address copied').waitFor()
    expect(await copied(page)).toBe(`${server.url}/view/${file.id}`)
    await page.goto(await copied(page))
    await page.getByText('what it says').waitFor()
    expect(offences).toEqual([])
  })

  test('that opens the folder', async () => {
    const { user, folder } = await buildOwner()
    const { page } = await browser.open({ ...device, ...clipboard })
    await enter(page, user)
    await page.getByRole('button', { name: 'More actions for Docs' }).click()
    await choose(page)
    await page.getByRole('status').getByText('Address copied').waitFor()
    expect(await copied(page)).toBe(`${server.url}/files/${folder.id}`)
    await page.goto(await copied(page))
    await expect.poll(() => listedNames(page)).toEqual(['inner.txt'])
  })

  test('and so do the details', async () => {
    const { user, folder, file } = await buildOwner()
    const { page } = await browser.open({ ...device, ...clipboard })
    await enter(page, user, `/files/${folder.id}`)
    await page.getByRole('button', { name: 'More actions for inner.txt' }).click()
    await page.getByRole(kind === 'phone' ? 'button' : 'menuitem', { name: 'Details' }).click()
    await panel(page).getByRole('button', { name: 'Copy address' }).click()
    await panel(page).getByRole('status').getByText('Copied').first().waitFor()
    expect(await copied(page)).toBe(`${server.url}/view/${file.id}`)
    expect(await findBarriersInBothThemes(page)).toEqual([])
  })
})

test('the menu of the folder tree copies the address of a folder', async () => {
  const { user, folder } = await buildOwner()
  const { page } = await browser.open({ ...desktop, ...clipboard })
  await enter(page, user)
  await page.getByRole('treeitem', { name: 'Docs' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy address' }).click()
  await page.getByRole('status').getByText('Address copied').waitFor()
  expect(await copied(page)).toBe(`${server.url}/files/${folder.id}`)
})

test('a browser that refuses the clipboard is told of, and nothing claims that the address was copied', async () => {
  const { user } = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'Docs').waitFor()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
    document.execCommand = () => false
  })
  await row(page, 'Docs').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy address' }).click()
  await page.getByText('Failed to copy to the clipboard').waitFor()
  expect(await page.getByText('Address copied').count()).toBe(0)
})

test('several items have no common address', async () => {
  const { user } = await buildOwner()
  await buildFile(user, { name: 'other.txt' })
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'Docs').click({ modifiers: ['Control'] })
  await row(page, 'other.txt').click({ modifiers: ['Control'] })
  await row(page, 'other.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Copy address' }).count()).toBe(0)
})
