/** The lists of links, one's own and those of all users, and the settings of links. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLink } from '../../src/api/links.ts'
import { updateSharingSettings } from '../../src/api/shares.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { findBarriers, findBarriersInBothThemes } from './accessible.ts'
import { phone, row } from './browser.ts'
import { address, admin, copied, enterAs, links, linksOf, openLinkSite, setRules } from './link-dialog.ts'
import { server } from './site.ts'

openLinkSite()

describe('the list of own links', () => {
  test('tells what each is on, its label and whether it works; copies, pauses and ends', async () => {
    const anna = await buildUser(server)
    const docs = await buildFolder(anna, 'Docs')
    const file = await buildFile(anna, { name: 'plan.txt', parent_id: docs.id }, 'the plan')
    const terms = { password: 'open sesame now', max_downloads: 3 }
    const { link } = await anna.call(createLink, { item_id: file.id, level: 'view', label: 'Customers', ...terms })
    await anna.call(createLink, { item_id: docs.id, level: 'upload' })
    const { page, offences } = await enterAs(anna, '/shared')
    await page.getByRole('tab', { name: 'My links' }).click()
    const table = page.getByRole('table', { name: 'My links' })
    const plan = table.getByRole('row', { name: 'plan.txt' })
    const cells = async () => (await plan.getByRole('cell').allInnerTexts()).slice(0, 5)
    await expect
      .poll(cells)
      .toEqual([
        'plan.txt',
        expect.stringMatching(/^Customers .*\/s\//),
        'Not used yet',
        'View, with a password',
        'Works',
      ])
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
    await links(page).getByText('at most 3 downloads').waitFor()
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
    await settings.getByLabel('Days that a link may last').fill('30')
    await settings.getByRole('button', { name: 'Save' }).click()
    const profile = async () => await admin.call(updateSharingSettings, {})
    await expect.poll(profile).toMatchObject({ link_password_required: true, link_max_days: 30 })
    await settings.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    await settings.getByLabel('Days that a link may last').fill('soon')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.getByText('Enter a whole number up to 3,650').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await settings.getByLabel('Days that a link may last').fill('')
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
