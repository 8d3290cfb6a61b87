/** The Shared screen: what others share with the user, and what the user shares with others. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listFavorites } from '../../src/api/files.ts'
import { deleteShare, listGiven, listReceived } from '../../src/api/shares.ts'
import { type BuiltUser, buildFile, buildFolder, buildGroup, buildShare, buildUser } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { findBarriers, findNameless } from './accessible.ts'
import { enter, holdNews, phone } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const received = async (user: BuiltUser) => (await user.call(listReceived, {})).shares.map(({ item }) => item.name)
const shared = (page: Page, name: string) => page.getByRole('row', { name, exact: true })

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

/** Opens a row's menu, and chooses from it. */
async function act(page: Page, name: string, action: string): Promise<void> {
  await shared(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: action }).click()
}

test('what others share can be opened, hidden, shown again and left', async () => {
  const [admin, anna, ben] = [
    await buildUser(server, { role: 'admin' }),
    await buildUser(server),
    await buildUser(server),
  ]
  const group = await buildGroup(admin, [ben])
  const docs = await buildFolder(anna, 'Docs')
  await buildShare(anna, docs, ben, 'view')
  await buildShare(anna, await buildFolder(anna, 'Homework'), { group_id: group.id }, 'upload')
  await buildShare(anna, await buildFile(anna, { name: 'plan.txt' }, 'the plan'), ben, 'edit')
  const { page, offences } = await browser.open()
  await enter(page, ben, '/shared')
  await expect
    .poll(() => page.getByRole('table', { name: 'Shared with me' }).getByRole('row').allInnerTexts())
    .toMatchObject([{}, {}, {}, {}])
  expect((await shared(page, 'Homework').getByRole('cell').allInnerTexts()).slice(0, 3)).toEqual([
    'Homework\nNew',
    `${anna.username} to ${group.name}`,
    'Upload only',
  ])
  expect(await findBarriers(page)).toEqual([])

  await shared(page, 'plan.txt').getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Homework')
  await shared(page, 'plan.txt').getByRole('link').click()
  await page.getByText('the plan').waitFor()
  await page.keyboard.press('Escape')

  await shared(page, 'Homework').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Hide' }).waitFor()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Copy address', 'Hide'])
  await page.getByRole('menuitem', { name: 'Hide' }).click()
  await expect.poll(() => received(ben)).toEqual(['plan.txt', 'Docs'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await shared(page, 'Homework').waitFor()
  await act(page, 'Homework', 'Hide')
  await expect.poll(() => shared(page, 'Homework').count()).toBe(0)
  await expect.poll(() => focused(page)).toBe('More actions for Docs')
  await page.getByRole('button', { name: 'Show hidden' }).click()
  await act(page, 'Homework', 'Show again')
  await page.getByText('Nothing is hidden').waitFor()
  await page.getByRole('button', { name: 'Back to list' }).click()
  await shared(page, 'Homework').waitFor()

  await act(page, 'Docs', 'Add to favorites')
  await expect.poll(async () => (await ben.call(listFavorites, {})).files.map(({ name }) => name)).toEqual(['Docs'])
  await act(page, 'Docs', 'Remove from favorites')
  await expect.poll(async () => (await ben.call(listFavorites, {})).total).toBe(0)

  await act(page, 'Docs', 'Leave…')
  await page.getByRole('dialog', { name: 'Leave' }).getByRole('button', { name: 'Leave' }).click()
  await expect.poll(() => shared(page, 'Docs').count()).toBe(0)
  await expect.poll(() => received(ben)).toEqual(['plan.txt', 'Homework'])
  await page.goto(`/files/${docs.id}`)
  await page.getByRole('heading', { name: 'This folder is not here any more' }).waitFor()
  expect(offences).toEqual([])
})

test('a folder on screen goes when its share ends, and a double click on a share selects no text', async () => {
  const [anna, ben] = [await buildUser(server), await buildUser(server)]
  const docs = await buildFolder(anna, 'Docs')
  await buildFile(anna, { name: 'secret.txt', parent_id: docs.id })
  const share = await buildShare(anna, docs, ben, 'edit')
  const { page } = await browser.open()
  await holdNews(page)
  await enter(page, ben, '/shared')
  await shared(page, 'Docs').dblclick()
  await shared(page, 'secret.txt').waitFor()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
  await anna.call(deleteShare, { id: share.id })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('heading', { name: 'This folder is not here any more' }).waitFor()
  expect(await shared(page, 'secret.txt').count()).toBe(0)
  expect(await page.getByRole('button', { name: /Upload|New Folder/ }).count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Go to Shared' }).click()
  await page.getByRole('heading', { name: 'Shared', exact: true }).waitFor()
})

test('what the user shares can be changed, ended and found in its folder', async () => {
  const [anna, ben, carl] = [await buildUser(server), await buildUser(server), await buildUser(server)]
  const docs = await buildFolder(anna, 'Docs')
  const plan = await buildFile(anna, { name: 'plan.txt', parent_id: docs.id })
  await buildShare(anna, plan, ben, 'view')
  await buildShare(anna, docs, carl, 'edit')
  const { page, offences } = await browser.open()
  await enter(page, anna, '/shared')
  await page.getByText('Nothing is shared with you').waitFor()
  await page.getByRole('tab', { name: 'By me' }).click()
  await shared(page, 'plan.txt').getByRole('cell', { name: ben.username }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await act(page, 'plan.txt', 'Change access…')
  const dialog = page.getByRole('dialog', { name: 'Share plan.txt' })
  await dialog.getByLabel(`Access of ${ben.username}`, { exact: true }).selectOption('Edit')
  await expect.poll(async () => (await anna.call(listGiven, {})).shares[1]?.level).toBe('edit')
  await page.keyboard.press('Escape')
  await shared(page, 'plan.txt').getByRole('cell', { name: 'Edit' }).waitFor()
  await act(page, 'plan.txt', 'Stop sharing')
  await expect.poll(() => received(ben)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => received(ben)).toEqual(['plan.txt'])
  await shared(page, 'plan.txt').waitFor()
  await act(page, 'plan.txt', 'Show in folder')
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${docs.id}`)
  expect(offences).toEqual([])
})

test('a long list comes page by page, and a page that fails is asked for again', async context => {
  onlyNightly(context)
  const [anna, ben] = [await buildUser(server), await buildUser(server)]
  for (let n = 10; n < 110; n++) await buildShare(anna, await buildFolder(anna, `Folder ${n}`), ben, 'view')
  const { page, offences } = await browser.open(phone)
  let isDown = true
  await page.route('**/api/shares/received?**', route => {
    const url = route
      .request()
      .url()
      .replace(/limit=\d+/, 'limit=20')
    return isDown && url.includes('cursor') ? route.abort() : route.continue({ url })
  })
  await enter(page, ben, '/shared')
  await page.getByText('Failed to load what is shared with you').waitFor()
  await shared(page, 'Folder 109').waitFor()
  isDown = false
  await page.getByRole('button', { name: 'Retry' }).tap()
  await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('-1')
  const scroller = page.getByRole('table').getByRole('rowgroup')
  await expect
    .poll(async () => {
      await scroller.evaluate(element => element.scrollTo(0, element.scrollHeight))
      return shared(page, 'Folder 10').count()
    })
    .toBe(1)
  expect(await findNameless(page)).toEqual([])
  await shared(page, 'Folder 10').getByRole('button', { name: 'More actions for Folder 10' }).tap()
  await page.getByRole('dialog').getByText('Leave…').waitFor()
  expect(offences).toEqual([])
})
