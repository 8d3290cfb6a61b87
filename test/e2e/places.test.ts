/** Team folders and shares on the page: what members see there and may do, by their level. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import type { Space } from '../../src/api/spaces.ts'
import { listTrash, trashFile } from '../../src/api/trash.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildShare,
  buildTeam,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { findBarriers } from './accessible.ts'
import { desktop, dragOnto, enter, listedNames, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

let admin: TestClient
let manager: BuiltUser
let editor: BuiltUser
let viewer: BuiltUser
let dropper: BuiltUser
let team: Space
let inner: FileDetails

beforeAll(async () => {
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  manager = await buildUser(server, { username: 'mona' })
  editor = await buildUser(server, { username: 'emil' })
  viewer = await buildUser(server, { username: 'vera' })
  dropper = await buildUser(server, { username: 'dora' })
  team = await buildTeam(admin, manager, 'Marketing')
  const root = { id: team.folder_id }
  await buildShare(manager, root, editor, 'edit')
  await buildShare(manager, root, viewer, 'view')
  inner = await buildFolder(manager, 'Campaigns', team.folder_id)
  await buildFile(manager, { parent_id: inner.id, name: 'plan.txt' })
})

const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumbs' })
const menuLabels = (page: Page) => page.getByRole('menu').getByRole('menuitem').allInnerTexts()
const tree = (page: Page) => page.getByRole('tree', { name: 'Folders' })

async function labelsOf(page: Page, name: string): Promise<string[]> {
  await row(page, name).click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  const labels = await menuLabels(page)
  await page.keyboard.press('Escape')
  return labels.map(label => label.split('\n')[0] ?? '')
}

async function choose(page: Page, name: string, item: string): Promise<void> {
  await row(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: item }).click()
}

const namesIn = async (user: BuiltUser, id: number | null): Promise<string[]> => {
  const { files, folders } = await user.call(listFiles, { parent_id: id })
  return [...folders, ...files].map(({ name }) => name)
}

describe('a team folder', () => {
  test('is listed with level, members and use, and opens with its own path', async () => {
    const { page, offences } = await browser.open()
    await enter(page, viewer, '/team-folders')
    const card = page.getByRole('listitem').filter({ hasText: 'Marketing' })
    await card.waitFor()
    expect(await card.innerText()).toMatch(/Can view[\s\S]*3 members[\s\S]*Managed by mona/)
    expect(await findBarriers(page)).toEqual([])
    await card.getByRole('link').click()
    await row(page, 'Campaigns').dblclick()
    await row(page, 'plan.txt').waitFor()
    expect(await crumbs(page).innerText()).toMatch(/^Team folders\s+Marketing\s+Campaigns$/)
    expect(await page.title()).toMatch(/^Campaigns/)
    await page.getByText('Marketing/Campaigns', { exact: true }).first().waitFor()
    expect(await tree(page).getByRole('treeitem').allInnerTexts()).toEqual(['Home', 'Marketing', 'Campaigns'])
    // Nothing stands for folders that never come.
    await tree(page).getByText('No folders yet').waitFor()
    expect(await tree(page).locator(':scope > [aria-hidden=true]').count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Backspace')
    await row(page, 'Campaigns').waitFor()
    await page.keyboard.press('Backspace')
    await page.getByRole('heading', { name: 'Team folders' }).waitFor()
    expect(offences).toEqual([])
  })

  test('offers a viewer only what a viewer may', async () => {
    const { page } = await browser.open()
    await enter(page, viewer, `/files/${inner.id}`)
    await row(page, 'plan.txt').waitFor()
    expect(await page.getByRole('button', { name: /New Folder|Upload/ }).count()).toBe(0)
    const labels = await labelsOf(page, 'plan.txt')
    expect(labels).toEqual(expect.arrayContaining(['Download', 'Copy to…', 'Add to favorites']))
    expect(labels).not.toEqual(expect.arrayContaining(['Move…']))
    expect(labels).not.toContain('Rename')
    expect(labels).not.toContain('Delete')
    await row(page, 'plan.txt').focus()
    for (const key of ['F2', 'm', 'Delete', 'n', 'u']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await listedNames(page)).toEqual(['plan.txt'])
  })

  test('lets an editor copy by drag and move by the menu, with an Undo that is right on both sides', async () => {
    await buildFile(editor, { name: 'dragged.txt' })
    await buildFile(editor, { name: 'moved.txt' })
    const { page } = await browser.open()
    await enter(page, editor, '/files')
    await dragOnto(page, row(page, 'dragged.txt'), tree(page).getByRole('treeitem', { name: 'Marketing' }))
    await page.getByText(/dragged.txt was copied to Marketing/).waitFor()
    expect(await namesIn(editor, null)).toContain('dragged.txt')
    expect(await namesIn(editor, team.folder_id)).toContain('dragged.txt')

    await choose(page, 'moved.txt', 'Move…')
    const dialog = page.getByRole('dialog', { name: 'Move 1 item' })
    await dialog.getByRole('button', { name: 'All places' }).click()
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Marketing' }).click()
    await dialog.getByText('A copy is made there. The original goes to the trash of My files.').waitFor()
    await dialog.getByRole('button', { name: 'Select This Location' }).click()
    await page.getByText(/moved.txt was moved to Marketing; the original is in the trash/).waitFor()
    expect(await namesIn(editor, team.folder_id)).toContain('moved.txt')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row(page, 'moved.txt').waitFor()
    await expect.poll(() => namesIn(editor, team.folder_id)).not.toContain('moved.txt')
    expect((await editor.call(listTrash, {})).total).toBe(0)
  })

  test('has a trash, where editors restore and managers delete', async () => {
    const gone = await buildFile(editor, { parent_id: team.folder_id, name: 'gone.txt' })
    await editor.call(trashFile, { id: gone.id })
    const { page } = await browser.open()
    await enter(page, editor, `/files/${team.folder_id}`)
    await page.getByRole('button', { name: 'Trash of Marketing' }).click()
    await row(page, 'gone.txt').waitFor()
    expect(await page.getByLabel('Trash of').inputValue()).toBe(String(team.folder_id))
    expect(await page.getByRole('button', { name: /permanently|Empty Trash/ }).count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await row(page, 'gone.txt').getByRole('button', { name: 'Restore gone.txt' }).click()
    await expect.poll(() => namesIn(editor, team.folder_id)).toContain('gone.txt')
    await page.getByLabel('Trash of').selectOption('My files')
    await page.getByText('Trash is empty').waitFor()

    await editor.call(trashFile, { id: gone.id })
    const other = await browser.open()
    await enter(other.page, manager, `/trash?folder=${team.folder_id}`)
    await other.page.getByRole('button', { name: 'Empty Trash' }).click()
    await other.page.getByText(/in the trash of Marketing/).waitFor()
    await other.page.getByRole('dialog').getByRole('button', { name: 'Empty Trash' }).click()
    await other.page.getByText('Trash is empty').waitFor()
  })
})

test('who may change a team folder is told how many files of others wait there', async () => {
  await turnSettings(admin, { validation_enabled: true })
  await buildFile(editor, { parent_id: inner.id, name: 'waiting.txt' })
  const alone = await buildFolder(manager, 'Only waiting', team.folder_id)
  await buildFile(editor, { parent_id: alone.id, name: 'alone.txt' })
  await turnSettings(admin, { validation_enabled: false })
  for (const [user, isTold] of [
    [manager, true],
    [viewer, false],
  ] as const) {
    const { page } = await browser.open()
    await enter(page, user, `/files/${inner.id}`)
    await row(page, 'plan.txt').waitFor()
    await page.getByText('Marketing/Campaigns', { exact: true }).waitFor()
    expect(await page.getByText('1 file waits for approval').count()).toBe(isTold ? 1 : 0)
    expect(await row(page, 'waiting.txt').count()).toBe(0)
    expect(await page.getByRole('columnheader', { name: 'Owner' }).count()).toBe(1)
    await page.goto(`/files/${alone.id}`)
    const title = isTold ? '1 file waits for approval' : 'This folder is empty'
    await page.getByRole('heading', { name: title }).waitFor()
    expect(await page.getByText('alone.txt').count()).toBe(0)
  }
})

describe('a shared folder', () => {
  test('begins with its name and from whom it is, and lets a drop box say what it is', async () => {
    const box = await buildFolder(manager, 'Essays')
    await buildFile(manager, { parent_id: box.id, name: 'secret.txt' })
    await buildShare(manager, box, dropper, 'upload')
    const { page } = await browser.open()
    await enter(page, dropper, `/files/${box.id}`)
    await page.getByText('Nothing handed in yet').waitFor()
    expect(await crumbs(page).innerText()).toMatch(/^Shared\s+Essays\s+from mona$/)
    expect(await page.getByRole('button', { name: 'New Folder' }).count()).toBe(0)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('main').getByRole('button', { name: 'Upload', exact: true }).first().click()
    await (await chooser).setFiles([{ name: 'mine.txt', mimeType: 'text/plain', buffer: Buffer.from('mine') }])
    await page.getByText('You see only your own files').waitFor()
    await row(page, 'dora - mine.txt').waitFor()
    expect(await listedNames(page)).toEqual(['dora - mine.txt'])
    const labels = await labelsOf(page, 'dora - mine.txt')
    expect(labels).toContain('Download')
    expect(labels).not.toContain('Delete')
    expect(await findBarriers(page)).toEqual([])
  })

  test('works on a phone', async () => {
    const folder = await buildFolder(manager, 'Reports')
    await buildFile(manager, { parent_id: folder.id, name: 'q1.txt' })
    await buildShare(manager, folder, editor, 'edit')
    const { page } = await browser.open(phone)
    await enter(page, editor, `/files/${folder.id}`)
    await page.getByRole('heading', { name: 'Reports' }).waitFor()
    expect(await crumbs(page).innerText()).toMatch(/Reports\s+from mona/)
    expect(await page.getByRole('button', { name: 'Upload' }).count()).toBe(1)
    expect(await findBarriers(page)).toEqual([])
  })
})

test('a search inside a place is of that place first, and can be widened', async () => {
  await buildFile(editor, { name: 'needle own.txt' })
  await buildFile(editor, { parent_id: inner.id, name: 'needle team.txt' })
  const { page } = await browser.open(desktop)
  await enter(page, editor, `/files/${inner.id}`)
  await row(page, 'plan.txt').waitFor()
  await page.getByLabel('Search files').fill('needle')
  await page.getByLabel('Search files').press('Enter')
  await page.getByText('Found 1 result for "needle"').waitFor()
  await row(page, 'needle team.txt').waitFor()
  expect(await row(page, 'needle team.txt').innerText()).toContain('Marketing/Campaigns')
  expect(await row(page, 'needle own.txt').count()).toBe(0)
  await page.getByRole('button', { name: 'Search everywhere' }).click()
  await row(page, 'needle own.txt').waitFor()
})
