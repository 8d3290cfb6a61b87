/** The bars that appear while items are selected. */
import { expect, test } from 'vitest'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

test('the buttons of the selection are never cut off, at any width of the window', async () => {
  const user = await buildUser(server)
  await buildFolder(user, 'Folder')
  await buildFile(user, { name: 'file.txt' }, 'x'.repeat(1020 * 1024))
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'file.txt').waitFor()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  for (const width of [390, 580, 767, ...Array.from({ length: 40 }, (_, step) => 768 + 16 * step)]) {
    await page.setViewportSize({ width, height: 800 })
    await bar.getByText('2 selected').waitFor()
    const cut = await page
      .getByRole('main')
      .locator('[role="toolbar"], [role="toolbar"] *, [data-bottom-bar], [data-bottom-bar] *')
      .evaluateAll(all =>
        all
          .filter(each => each.scrollWidth > each.clientWidth)
          .map(each => each.textContent)
          .filter(text => text !== ''),
      )
    expect({ width, cut }).toEqual({ width, cut: [] })
  }
})

test('a selected row shows its checkbox, and its actions under the pointer or focus alone', async () => {
  const { page } = await browser.open()
  const user = await buildUser(server)
  for (const name of ['marked.txt', 'plain.txt']) await buildFile(user, { name })
  await enter(page, user)
  const opacityOf = (role: 'button' | 'checkbox', name: string) =>
    page.getByRole(role, { name, exact: true }).evaluate(element => getComputedStyle(element).opacity)
  for (const name of ['marked.txt', 'plain.txt']) {
    await row(page, name).hover()
    await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  }
  await page.getByText('2 selected').waitFor()
  await expect.poll(() => opacityOf('button', 'Download plain.txt')).toBe('1')
  await expect.poll(() => opacityOf('button', 'Download marked.txt')).toBe('0')
  expect(await opacityOf('checkbox', 'Select marked.txt')).toBe('1')
  await page.mouse.move(0, 0)
  await row(page, 'marked.txt').focus()
  await expect.poll(() => opacityOf('button', 'Download marked.txt')).toBe('1')
  await expect.poll(() => opacityOf('button', 'Download plain.txt')).toBe('0')
})
