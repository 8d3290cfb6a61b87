/**
 * Dropping items on folders in the list, the tree and the breadcrumbs, dragging out of the window, and a folder's menu.
 */
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { buildFile, buildFolder, buildRole, buildUser } from '../support/factories.ts'
import { dragOnto, enter, row } from './browser.ts'
import { buildOwner, chevron, entry, namesIn } from './folder-owner.ts'
import { browser, openSite, server } from './site.ts'

openSite()

describe('dropping', () => {
  test('an item dropped on an entry of the tree moves there, and Undo moves it back', async () => {
    const { user, docs } = await buildOwner(server)
    const { page, offences } = await browser.open()
    await enter(page, user)
    await entry(page, 'Docs').waitFor()
    await dragOnto(page, row(page, 'a.txt'), entry(page, 'Docs'))
    await page.getByText('was moved to Docs').waitFor()
    await expect.poll(() => namesIn(user, docs)).toEqual(['2026', 'a.txt'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'a.txt').waitFor()
    await expect.poll(() => namesIn(user, docs)).toEqual(['2026'])
    expect(offences).toEqual([])
  })

  test('the notice about a move shortens a long folder name and shows it in full as a hint', async () => {
    const { user } = await buildOwner(server)
    const name = 'A folder whose name is far too long for a sentence'
    await buildFolder(user, name)
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, name).waitFor()
    await dragOnto(page, row(page, 'a.txt'), row(page, name))
    const told = page.getByRole('status').filter({ hasText: 'was moved to' })
    await told.getByTitle(name, { exact: true }).waitFor()
    await expect.poll(() => told.getByTitle(name, { exact: true }).innerText()).toContain('…')
  })

  test('a search result moves from its own folder', async () => {
    const { user, docs, year } = await buildOwner(server)
    await buildFile(user, { name: 'report.txt', parent_id: year })
    const { page } = await browser.open()
    await enter(page, user, '/search?q=report')
    await entry(page, 'Docs').waitFor()
    // During a search, no folder is the current one.
    expect(await page.locator('[role="treeitem"][aria-current]').count()).toBe(0)
    await dragOnto(page, row(page, 'report.txt'), entry(page, 'Docs'))
    await page.getByText('was moved to Docs').waitFor()
    await expect.poll(() => namesIn(user, docs)).toEqual(['2026', 'report.txt'])
  })

  test('a folder dropped on itself, on a folder inside it or on its parent sends no request', async () => {
    const { user } = await buildOwner(server)
    const { page } = await browser.open()
    const calls: string[] = []
    page.on('request', request => request.method() !== 'GET' && calls.push(request.url()))
    await enter(page, user)
    calls.length = 0
    await chevron(page, 'Docs').click()
    for (const target of ['Docs', '2026', 'Home']) await dragOnto(page, row(page, 'Docs'), entry(page, target))
    await row(page, 'Docs').waitFor()
    expect(calls).toEqual([])
  })

  test('a folder dropped on a folder inside it sends no request when both are search results', async () => {
    const { user, docs } = await buildOwner(server)
    const outer = await buildFolder(user, 'find outer', docs)
    await buildFolder(user, 'find inner', outer.id)
    const { page } = await browser.open()
    await enter(page, user, '/search?q=find')
    await row(page, 'find inner').waitFor()
    const calls: string[] = []
    page.on('request', request => request.method() !== 'GET' && calls.push(request.url()))
    await dragOnto(page, row(page, 'find outer'), row(page, 'find inner'))
    expect(calls).toEqual([])
  })

  test('a closed entry of the tree opens while an item is held over it', async () => {
    const { user, year } = await buildOwner(server)
    const { page } = await browser.open()
    await enter(page, user)
    await entry(page, 'Docs').waitFor()
    await row(page, 'a.txt').hover()
    await page.mouse.down()
    await entry(page, 'Docs').hover()
    await entry(page, 'Docs').hover()
    await entry(page, '2026').waitFor()
    await entry(page, '2026').hover()
    await entry(page, '2026').hover()
    await page.mouse.up()
    await page.getByText('was moved to 2026').waitFor()
    await expect.poll(() => namesIn(user, year)).toEqual(['a.txt'])
  })

  test('an entry of the tree can be dragged into another folder', async () => {
    const { user, docs } = await buildOwner(server)
    const { page } = await browser.open()
    await enter(page, user)
    await entry(page, 'Photos').waitFor()
    await entry(page, 'Photos').hover()
    await page.mouse.down()
    await entry(page, 'Docs').hover()
    await entry(page, 'Docs').hover()
    await page.mouse.up()
    await page.getByText('was moved to Docs').waitFor()
    await expect.poll(() => namesIn(user, docs)).toContain('Photos')
  })

  test('files from the desktop are uploaded into the entry, row or breadcrumb that they are dropped on', async () => {
    const { user, docs, year } = await buildOwner(server)
    const { page, offences } = await browser.open()
    await enter(page, user, `/files/${docs}`)
    await entry(page, 'Photos').waitFor()
    const drop = async (name: string, target: Locator) => {
      const files = await page.evaluateHandle(given => {
        const transfer = new DataTransfer()
        transfer.items.add(new File(['dropped'], given))
        return transfer
      }, name)
      await target.dispatchEvent('dragover', { dataTransfer: files })
      await expect.poll(() => target.getAttribute('data-over')).toBe('true')
      await target.dispatchEvent('drop', { dataTransfer: files })
    }
    await drop('on home.txt', entry(page, 'Home'))
    await drop('on row.txt', row(page, '2026'))
    await drop(
      'on breadcrumb.txt',
      page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Home' }),
    )
    await expect
      .poll(() => namesIn(user, null))
      .toEqual(['Docs', 'Photos', 'a.txt', 'b.txt', 'on breadcrumb.txt', 'on home.txt'])
    await expect.poll(() => namesIn(user, year)).toEqual(['on row.txt'])
    await expect.poll(() => namesIn(user, docs)).toEqual(['2026'])
    expect(offences).toEqual([])
  })

  test.each(['list', 'grid'])(
    'the hint about the folder on screen hides while files are over a folder in the %s',
    async view => {
      const { user } = await buildOwner(server)
      const { page } = await browser.open()
      await enter(page, user)
      if (view === 'grid') await page.getByRole('button', { name: 'Grid view' }).click()
      const folder = view === 'grid' ? page.getByRole('gridcell', { name: 'Docs', exact: true }) : row(page, 'Docs')
      await folder.waitFor()
      const files = await page.evaluateHandle(() => {
        const transfer = new DataTransfer()
        transfer.items.add(new File(['dropped'], 'dropped.txt'))
        return transfer
      })
      const hint = page.getByText('Drop to upload into Home')
      const outline = () => page.getByRole('main').evaluate(main => getComputedStyle(main).outlineStyle)
      await page.getByRole('banner').dispatchEvent('dragenter', { dataTransfer: files })
      await hint.waitFor()
      expect(await outline()).toBe('solid')
      await folder.dispatchEvent('dragover', { dataTransfer: files })
      await hint.waitFor({ state: 'hidden' })
      expect(await outline()).toBe('none')
    },
  )

  test('a single file can be dragged out of the window as a download', async () => {
    const user = await buildUser(server)
    const file = await buildFile(user, { name: 'out: one.txt' })
    const { page } = await browser.open()
    await enter(page, user)
    const transfer = await page.evaluateHandle(() => new DataTransfer())
    await row(page, 'out: one.txt').dispatchEvent('dragstart', { dataTransfer: transfer })
    expect(await transfer.evaluate(data => data.getData('DownloadURL'))).toBe(
      `text/plain:out_ one.txt:${server.url}/api/files/${file.id}/download`,
    )
  })
})

describe('the menu of a folder', () => {
  test('makes a folder inside, and moves the folder on screen to the trash', async () => {
    const { user, docs, year } = await buildOwner(server)
    const { page, offences } = await browser.open()
    await enter(page, user, `/files/${year}`)
    await entry(page, 'Docs').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'New Folder' }).click()
    await page.getByLabel('Folder Name').fill('Next')
    await page.keyboard.press('Enter')
    await entry(page, 'Next').waitFor()
    await expect.poll(() => namesIn(user, docs)).toContain('Next')
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Docs').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('was moved to the trash').waitFor()
    // Home is shown, because the folder on screen was inside the one that was deleted.
    await row(page, 'a.txt').waitFor()
    await entry(page, 'Docs').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await entry(page, 'Docs').waitFor()
    expect(offences).toEqual([])
  })

  test('offers a user with read permission only the download, and drops change nothing', async () => {
    const { user, docs } = await buildOwner(server)
    const role = await buildRole(server, ['files:read'])
    await server.deps.db.touch(() =>
      server.deps.db.change('UPDATE users SET role_id = (SELECT id FROM roles WHERE name = $1) WHERE id = $2', [
        role,
        user.id,
      ]),
    )
    const { page } = await browser.open()
    await enter(page, user)
    await entry(page, 'Docs').click({ button: 'right' })
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Download as ZIP', 'Copy address'])
    await page.keyboard.press('Escape')
    await dragOnto(page, row(page, 'a.txt'), entry(page, 'Docs'))
    await expect.poll(() => entry(page, 'Docs').getAttribute('data-over')).toBeNull()
    await expect.poll(() => namesIn(user, docs)).toEqual(['2026'])
  })

  test('returns the focus to its entry when it closes', async () => {
    const { user } = await buildOwner(server)
    const { page } = await browser.open()
    await enter(page, user)
    await entry(page, 'Docs').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move…' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => entry(page, 'Docs').evaluate(element => element === document.activeElement)).toBe(true)
  })
})
