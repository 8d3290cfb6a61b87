/** Who may make links in the browser, and what the rules of the server change about them. */
import { describe, expect, test } from 'vitest'
import { createLink } from '../../src/api/links.ts'
import { listSpaces, updateSpace } from '../../src/api/spaces.ts'
import {
  buildFile,
  buildFolder,
  buildRole,
  buildShare,
  buildTeam,
  buildUser,
  userRolePermissions,
} from '../support/factories.ts'
import { findBarriers, findBarriersInBothThemes } from './accessible.ts'
import { row } from './browser.ts'
import {
  admin,
  chooseFor,
  dialogOf,
  enterAs,
  links,
  linksOf,
  openDialog,
  openLinkSite,
  part,
  setRules,
} from './link-dialog.ts'
import { server } from './site.ts'

openLinkSite()

describe('the rules of the server', () => {
  test('a password that is too short is refused at its field, which tells the rule before', async () => {
    const anna = await buildUser(server)
    await buildFile(anna, { name: 'plan.txt' })
    const { page, offences } = await enterAs(anna, '/files')
    await openDialog(page, 'plan.txt')
    await part(page).getByRole('button', { name: 'Password, last day…' }).click()
    await part(page).getByText('At least 8 characters. Tell it apart from the link').waitFor()
    await part(page).getByLabel('Password').fill('short')
    await page.keyboard.press('Enter')
    await part(page).getByText('Use at least 8 characters').waitFor()
    expect(offences).toEqual([])
  })

  test('a needed password is asked for before the link is made, and the end is set to what is allowed', async () => {
    await setRules({ link_password_required: true, link_max_days: 7 })
    const anna = await buildUser(server)
    const file = await buildFile(anna, { name: 'plan.txt' })
    const { page, offences } = await enterAs(anna, '/files')
    await openDialog(page, 'plan.txt')
    await part(page).getByRole('button', { name: 'Create link' }).click()
    await part(page).getByText('Links need a password on this server', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe('None')
    await page.keyboard.type('long enough')
    await page.keyboard.press('Enter')
    await links(page).getByText('with a password').waitFor()
    const [made] = await linksOf(anna, file.id)
    expect(Date.parse(made?.expires_at ?? '') - Date.now()).toBeLessThanOrEqual(7 * 24 * 60 * 60 * 1000)
    expect(made?.works).toBe(true)

    await setRules({ link_password_required: false, link_max_days: 0 })
    await anna.call(createLink, { item_id: file.id, level: 'view', label: 'Open' })
    await setRules({ link_password_required: true })
    await page.reload()
    await openDialog(page, 'plan.txt')
    const open = links(page).filter({ hasText: 'Open' })
    await open.getByText('Links need a password on this server. Set one to make it work again.').waitFor()
    await open.getByRole('button', { name: 'Change', exact: true }).click()
    await open.getByLabel('Password').fill('another one')
    await open.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await linksOf(anna, file.id)).map(({ works }) => works)).toEqual([true, true])
    expect(offences).toEqual([])
  })

  test('with links turned off none is offered, and those that exist say so and can be ended', async () => {
    const anna = await buildUser(server)
    const folder = await buildFolder(anna, 'Docs')
    await anna.call(createLink, { item_id: folder.id, level: 'view', label: 'Old' })
    await setRules({ links: false })
    const { page, offences } = await enterAs(anna, '/files')
    await openDialog(page, 'Docs')
    await part(page).getByText('Links are turned off on this server.', { exact: true }).waitFor()
    await links(page).getByText('An administrator can turn them on.').waitFor()
    expect(await part(page).getByRole('button', { name: 'Create link' }).count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await chooseFor(links(page), 'End link…')
    await page.getByRole('dialog', { name: 'End link?' }).getByRole('button', { name: 'End link' }).click()
    await expect.poll(() => links(page).count()).toBe(0)
    expect(offences).toEqual([])
  })

  test('with uploads turned off, folders are shared to be seen alone', async () => {
    await setRules({ link_uploads: false })
    const anna = await buildUser(server)
    await buildFolder(anna, 'Docs')
    const { page } = await enterAs(anna, '/files')
    await openDialog(page, 'Docs')
    await part(page).getByRole('button', { name: 'Create link' }).waitFor()
    expect(await part(page).getByLabel('Visitors may').count()).toBe(0)
  })
})

describe('who may make links', () => {
  test('without the permission there are none, and the dialog says why', async () => {
    const role = await buildRole(
      server,
      userRolePermissions.filter(key => key !== 'files:link'),
    )
    const anna = await buildUser(server, { role })
    await buildFile(anna, { name: 'plan.txt' })
    const { page } = await enterAs(anna, '/files')
    await openDialog(page, 'plan.txt')
    await part(page).getByText('Your role does not let you make links.').waitFor()
    await page.goto('/shared/links')
    await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor()
  })

  test('who may make links but not share with people opens the dialog for the links alone', async () => {
    const role = await buildRole(
      server,
      userRolePermissions.filter(key => key !== 'files:share'),
    )
    const anna = await buildUser(server, { role })
    await buildFile(anna, { name: 'plan.txt' })
    const { page, offences } = await enterAs(anna, '/files')
    await row(page, 'plan.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Share…' }).click()
    await part(page).getByRole('button', { name: 'Create link' }).click()
    await links(page).getByText('not used yet').waitFor()
    expect(await dialogOf(page).getByRole('region').allInnerTexts()).toHaveLength(1)
    expect(await findBarriers(page)).toEqual([])
    expect(offences).toEqual([])
  })

  test('a team folder has none itself; its managers decide whether its editors make them in it', async () => {
    const [anna, ben] = [await buildUser(server), await buildUser(server)]
    const team = await buildTeam(admin, anna, 'Marketing')
    await buildShare(anna, { id: team.folder_id }, ben, 'edit')
    await buildFile(anna, { name: 'plan.txt', parent_id: team.folder_id })
    const editor = await enterAs(ben, `/files/${team.folder_id}`)
    await row(editor.page, 'plan.txt').click({ button: 'right' })
    await editor.page.getByRole('menuitem', { name: 'Download' }).waitFor()
    expect(await editor.page.getByRole('menuitem', { name: 'Share…' }).count()).toBe(0)

    const manager = await enterAs(anna, '/team-folders')
    await manager.page.getByRole('button', { name: 'Members of Marketing' }).click()
    await part(manager.page).getByText('A team folder itself has no links.').waitFor()
    expect(await findBarriersInBothThemes(manager.page)).toEqual([])
    await part(manager.page).getByRole('switch', { name: 'Editors may make links' }).check()
    const isAllowed = async () => (await anna.call(listSpaces, {})).spaces[0]?.editors_may_link
    await expect.poll(isAllowed).toBe(true)

    await editor.page.reload()
    await row(editor.page, 'plan.txt').click({ button: 'right' })
    await editor.page.getByRole('menuitem', { name: 'Share…' }).click()
    await part(editor.page).getByRole('button', { name: 'Create link' }).click()
    await links(editor.page).getByText('not used yet').waitFor()

    await anna.call(updateSpace, { id: team.id, editors_may_link: false })
    await manager.page.goto(`/files/${team.folder_id}`)
    await openDialog(manager.page, 'plan.txt')
    await links(manager.page).getByText(`by ${ben.username}`).waitFor()
    await links(manager.page).getByText(`${ben.username} may no longer make links here.`).waitFor()
    await links(manager.page).getByRole('button', { name: 'Take over' }).click()
    await manager.page.getByText('The link is yours now').waitFor()
    await expect.poll(() => links(manager.page).getByText(`by ${ben.username}`).count()).toBe(0)

    await editor.page.reload()
    await row(editor.page, 'plan.txt').click({ button: 'right' })
    await editor.page.getByRole('menuitem', { name: 'Download' }).waitFor()
    expect(await editor.page.getByRole('menuitem', { name: 'Share…' }).count()).toBe(0)
    expect([...editor.offences, ...manager.offences]).toEqual([])
  })
})
