/** The bar that takes the place of the list's head while items are selected. */
import { expect, test } from 'vitest'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

test('no button is cut, however wide the window is', async () => {
  const user = await buildUser(server)
  await buildFolder(user, 'Folder')
  await buildFile(user, { name: 'file.txt' }, 'x'.repeat(1020 * 1024))
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'file.txt').waitFor()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await bar.getByText('2 selected').waitFor()
  for (let width = 768; width <= 1400; width += 16) {
    await page.setViewportSize({ width, height: 800 })
    const cut = await bar.evaluate(element => {
      const all = [element, ...element.querySelectorAll('button')]
      return all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.getAttribute('aria-label'))
    })
    expect({ width, cut }).toEqual({ width, cut: [] })
  }
})
