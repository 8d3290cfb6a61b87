/** Drops in places and what is said of them: the word of a drag, the folder of an upload, and the rights of each folder. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import type { Space } from '../../src/api/spaces.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildTeam, buildUser } from '../support/factories.ts'
import { findBarriers } from './accessible.ts'
import { chooseFiles, dragOnto, dragOver, enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

let manager: BuiltUser
let editor: BuiltUser
let viewer: BuiltUser
let team: Space
let inner: FileDetails

beforeAll(async () => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  manager = await buildUser(server, { username: 'mona' })
  editor = await buildUser(server, { username: 'emil' })
  viewer = await buildUser(server, { username: 'vera' })
  team = await buildTeam(admin, manager, 'Marketing')
  await buildShare(manager, { id: team.folder_id }, editor, 'edit')
  await buildShare(manager, { id: team.folder_id }, viewer, 'view')
  inner = await buildFolder(manager, 'Campaigns', team.folder_id)
  await buildFile(manager, { parent_id: inner.id, name: 'plan.txt' })
})

const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumbs' })
const menuLabels = (page: Page) => page.getByRole('menu').getByRole('menuitem').allInnerTexts()
const tree = (page: Page) => page.getByRole('tree', { name: 'Folders' })

describe('a team folder', () => {
  test('says during a drag what a drop would do there', async () => {
    const item = await buildFile(editor, { name: 'held.txt' })
    await buildFolder(editor, 'Target')
    const { page } = await browser.open()
    await enter(page, editor, '/files')
    const held = row(page, item.name)
    await dragOver(page, held, tree(page).getByRole('treeitem', { name: 'Marketing' }))
    await page.getByText('Copy to Marketing', { exact: true }).waitFor()
    await row(page, 'Target').hover()
    await row(page, 'Target').hover()
    await page.getByText('Move to Target', { exact: true }).waitFor()
    await page.mouse.up()
    await page.getByText('Move to Target', { exact: true }).waitFor({ state: 'detached' })
    await row(page, 'held.txt').waitFor({ state: 'detached' })

    const looker = await browser.open()
    await enter(looker.page, viewer, '/files')
    await buildFile(viewer, { name: 'mine.txt' })
    await looker.page.getByRole('button', { name: 'Refresh' }).click()
    await dragOver(
      looker.page,
      row(looker.page, 'mine.txt'),
      tree(looker.page).getByRole('treeitem', { name: 'Marketing' }),
    )
    await looker.page.getByText('Not allowed here', { exact: true }).waitFor()
    await looker.page.mouse.up()
    await looker.page.getByText('Not allowed here', { exact: true }).waitFor({ state: 'detached' })
  })

  test('is named in the upload tray, with the folder in it', async () => {
    const { page } = await browser.open()
    await enter(page, editor, `/files/${inner.id}`)
    await row(page, 'plan.txt').waitFor()
    await chooseFiles(page, [{ name: 'told.txt', mimeType: 'text/plain', buffer: Buffer.from('told') }])
    const upload = page.getByRole('region', { name: 'Uploads' }).getByRole('group', { name: 'told.txt' })
    await upload.getByText('in Campaigns (Marketing)').waitFor()
    await page.getByRole('region', { name: 'Uploads' }).getByText('into Campaigns (Marketing)').waitFor()
  })

  test('stands in the tree below the words for a Home without folders', async () => {
    const user = await buildUser(server)
    await buildShare(manager, { id: team.folder_id }, user, 'view')
    const { page } = await browser.open()
    await enter(page, user, '/files')
    const words = tree(page).getByText('No folders yet')
    await words.waitFor()
    const topOf = async (name: string) => (await tree(page).getByRole('treeitem', { name }).boundingBox())?.y ?? 0
    const top = (await words.boundingBox())?.y ?? 0
    expect(top).toBeGreaterThan(await topOf('Home'))
    expect(top).toBeLessThan(await topOf('Marketing'))
    expect(await findBarriers(page)).toEqual([])
  })
})

describe('a shared folder', () => {
  test('offers on each step of its path what the user may do in that very folder', async () => {
    const outer = await buildFolder(manager, 'Outer')
    const middle = await buildFolder(manager, 'Middle', outer.id)
    const innermost = await buildFolder(manager, 'Innermost', middle.id)
    await buildShare(manager, outer, editor, 'view')
    await buildShare(manager, middle, editor, 'edit')
    const file = await buildFile(manager, { parent_id: innermost.id, name: 'kept.txt' })
    const { page } = await browser.open()
    await enter(page, editor, `/files/${innermost.id}`)
    // The tree knows these folders, too; without it, the path has to ask.
    await page.getByRole('button', { name: 'Hide folders' }).click()
    await page.reload()
    await row(page, 'kept.txt').waitFor()
    await crumbs(page).getByRole('link', { name: 'Middle' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'New Folder' }).waitFor()
    await page.keyboard.press('Escape')
    await crumbs(page).getByRole('link', { name: 'Outer' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy address' }).waitFor()
    expect(await menuLabels(page)).not.toContain('New Folder')
    await page.keyboard.press('Escape')
    await dragOnto(page, row(page, 'kept.txt'), crumbs(page).getByRole('link', { name: 'Outer' }))
    await row(page, 'kept.txt').waitFor()
    expect((await manager.call(getFile, { id: file.id })).file.parent_id).toBe(innermost.id)
    await dragOnto(page, row(page, 'kept.txt'), crumbs(page).getByRole('link', { name: 'Middle' }))
    await row(page, 'kept.txt').waitFor({ state: 'detached' })
    // The page takes the row away before the server has answered.
    await expect.poll(async () => (await manager.call(getFile, { id: file.id })).file.parent_id).toBe(middle.id)
  })
})
