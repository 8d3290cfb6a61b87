/** The tags screen and the dialog of a file's tags, for everybody: axe finds no barriers. */
import { describe, expect, test } from 'vitest'
import { buildFile, buildTag, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

describe('in both themes', () => {
  test.each([
    ['desktop', desktop],
    ['phone', phone],
  ] as const)('tags have no accessibility barriers on a %s', async (kind, device) => {
    const user = await buildUser(server)
    await buildFile(user, { name: 'a.txt' })
    await buildTag(user, 'Press')
    const { page, offences } = await browser.open(device)
    await enter(page, user, '/tags')
    await row(page, 'Press').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'New Tag' }).click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto('/files')
    await row(page, 'a.txt').waitFor()
    await page.getByRole('button', { name: 'More actions for a.txt' }).click()
    const item = page.getByRole(kind === 'phone' ? 'button' : 'menuitem', { name: 'Manage Tags' })
    await item.click()
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Press' }).waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    expect(offences).toEqual([])
  })
})
