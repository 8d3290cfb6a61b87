/** Roles: creating, editing and deleting them, and which permissions a user can give. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Permission, permissionKeys } from '../../src/api/permissions.ts'
import { listPermissions, listRoles, updateRole } from '../../src/api/roles.ts'
import { type BuiltUser, buildRole, buildUser } from '../support/factories.ts'
import { findBarriers } from './accessible.ts'
import { breakCall, createOpener } from './admin-pages.ts'
import { desktop, phone } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let admin: BuiltUser
let open: ReturnType<typeof createOpener>

openSite()

beforeAll(async () => {
  open = createOpener(browser)
  admin = await buildUser(server, { role: 'admin' })
})

const openRoles = () => open(admin, '/settings/roles')
const findRole = async (name: string) => (await admin.call(listRoles, {})).roles.find(role => role.name === name)
const choose = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Roles' }).getByRole('button', { name }).click()
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const may = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save role' })

test('a new role needs a name and a permission, and a whole category can be selected', async () => {
  const { page, offences } = await openRoles()
  await page.getByRole('button', { name: 'New role' }).click()
  await expect.poll(() => save(page).isDisabled()).toBe(true)
  await page.getByText('Give the role a name').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Readers')
  await page.getByText('Select at least one permission').waitFor()
  await expect.poll(() => save(page).isDisabled()).toBe(true)
  await group(page, 'Files').getByRole('button', { name: 'Select all' }).click()
  await group(page, 'Files').getByText('7 of 7').waitFor()
  await group(page, 'Files').getByRole('button', { name: 'Deselect all' }).click()
  await group(page, 'Files').getByText('0 of 7').waitFor()
  await page.getByText('Read files').click()
  await may(page, 'Search files').check()
  await page.getByText('Unsaved changes').waitFor()
  await page.getByLabel('Description').fill('Agencies')
  await save(page).click()
  await page.getByText('Agencies · 2 permissions').waitFor()
  expect(await findRole('Readers')).toMatchObject({
    description: 'Agencies',
    permissions: ['files:read', 'files:search'],
    is_system: false,
  })
  expect(offences).toEqual([])
})

test('an edited role is saved, and leaving it unsaved asks first', async () => {
  const name = await buildRole(server, ['files:read'])
  const { page, offences } = await openRoles()
  await choose(page, name)
  await may(page, 'Read tags').check()
  await page.getByRole('tab', { name: 'Users' }).click()
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await question.getByRole('button', { name: 'Keep Editing' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/settings/roles')
  await question.waitFor({ state: 'detached' })
  await choose(page, 'user')
  await question.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('A system role keeps its name.').waitFor()
  await choose(page, name)
  await expect.poll(() => may(page, 'Read tags').isChecked()).toBe(false)
  await may(page, 'Read tags').check()
  await save(page).click()
  await expect.poll(async () => (await findRole(name))?.permissions).toEqual(['files:read', 'tags:read'])
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  expect(offences).toEqual([])
})

test('signing out with unsaved changes asks once', async () => {
  const name = await buildRole(server, ['files:read'])
  const { page, offences } = await openRoles()
  await choose(page, name)
  await may(page, 'Read tags').check()
  await page.getByText('Unsaved changes').waitFor()
  await page.route('**/api/auth/logout', route => route.abort())
  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('dialog', { name: 'Log out?' })
  await question.getByText('changes that have not been saved').waitFor()
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => may(page, 'Read tags').isChecked()).toBe(true)
  const asked: string[] = []
  page.on('dialog', dialog => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
  expect(asked).toEqual([])
  expect(offences).toEqual([])
})

test("another user's change to a role appears, and saving does not undo it", async () => {
  const name = await buildRole(server, ['files:read'])
  const id = (await findRole(name))?.id ?? 0
  const permissionIds = async (...keys: Permission[]) =>
    (await admin.call(listPermissions, {})).permissions.filter(({ key }) => keys.includes(key)).map(each => each.id)
  const { page } = await openRoles()
  await choose(page, name)
  await page.getByLabel('Description').fill('Mine')
  await admin.call(updateRole, { id, permission_ids: await permissionIds('files:read', 'tags:read') })
  await save(page).click()
  await expect.poll(async () => (await findRole(name))?.description).toBe('Mine')
  expect((await findRole(name))?.permissions).toEqual(['files:read', 'tags:read'])
  await expect.poll(() => may(page, 'Read tags').isChecked()).toBe(true)
  await page.getByText('Role saved').waitFor()

  await admin.call(updateRole, { id, permission_ids: await permissionIds('files:read') })
  const look = async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    return may(page, 'Read tags').isChecked()
  }
  await expect.poll(look).toBe(false)
  expect(await page.getByText('Unsaved changes').count()).toBe(0)
})

test('system roles keep their names and cannot be deleted, and admin keeps every permission', async () => {
  const { page } = await openRoles()
  await page.getByText('The role admin keeps every permission.').waitFor()
  await page.getByText('A system role cannot be deleted').waitFor()
  await expect.poll(() => page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  expect(await page.getByRole('checkbox', { disabled: false }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Delete role' }).count()).toBe(0)
  await choose(page, 'user')
  await page.getByText('The role admin keeps every permission.').waitFor({ state: 'detached' })
  await expect.poll(() => may(page, 'Delete files').isEnabled()).toBe(true)
})

test('a user cannot give permissions that they lack, or change a role that has such permissions', async () => {
  const permissions: Permission[] = ['files:read', 'files:search', 'roles:manage']
  const name = await buildRole(server, permissions)
  const keeper = await buildUser(server, { role: name })
  const { page } = await open(keeper, '/settings/roles')
  await page.getByText('This role has a permission that you lack, so you cannot change it.').waitFor()
  expect(await save(page).count()).toBe(0)
  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByText('Permissions that you lack cannot be given.').waitFor()
  await expect.poll(() => may(page, 'Manage users: You lack this permission').isDisabled()).toBe(true)
  await group(page, 'Files').getByRole('button', { name: 'Select all' }).click()
  await group(page, 'Files').getByText('2 of 7').waitFor()
})

test('a role with users cannot be deleted, with an explanation, but a role without users can', async () => {
  const name = await buildRole(server, ['files:read'])
  await buildUser(server, { role: name })
  const free = await buildRole(server, ['files:read'])
  const { page, offences } = await openRoles()
  await choose(page, name)
  await page.getByRole('button', { name: 'Delete role' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete role?' })
  await dialog.getByText('This action cannot be undone.').waitFor()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('alert').getByText('Give its users another role first.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await choose(page, free)
  await page.getByRole('button', { name: 'Delete role' }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await findRole(free)).toBeUndefined()
  expect(offences).toEqual([])
})

test('a failure to save or delete a role shows an error, and nothing typed is lost', async () => {
  const name = await buildRole(server, ['files:read'])
  const { page } = await openRoles()
  await choose(page, name)
  await breakCall(page, '**/api/roles/*', 'PUT')
  await page.getByLabel('Description').fill('Kept')
  await save(page).click()
  await page.getByRole('alert').getByText('Failed to save role').waitFor()
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Kept')
  await page.unroute('**/api/roles/*')
  await page.getByLabel('Name', { exact: true }).fill('Admin')
  await save(page).click()
  await page.getByText("'Admin' is already taken").waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
  await breakCall(page, '**/api/roles/*', 'DELETE')
  await page.getByRole('button', { name: 'Delete role' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('alert').getByText('Failed to delete role').waitFor()
})

test('roles that fail to load show an error, and Retry loads them', async () => {
  const { page } = await open(admin, '/settings/system')
  await breakCall(page, '**/api/roles/permissions', 'GET')
  await page.getByRole('tab', { name: 'Roles' }).click()
  await page.getByText('Failed to load roles and permissions').waitFor()
  await page.unroute('**/api/roles/permissions')
  await page.getByRole('button', { name: 'Retry' }).click()
  await may(page, 'Read files').waitFor()
})

test('a user who reduces their own role loses the section at once', async () => {
  const name = await buildRole(server, permissionKeys)
  const keeper = await buildUser(server, { role: name })
  const { page, offences } = await open(keeper, '/settings/roles')
  // Wide enough for all sections; in a narrower window, the last are in a menu.
  await page.setViewportSize({ width: 1600, height: 900 })
  await page.getByRole('link', { name: 'Validation' }).waitFor()
  await choose(page, name)
  await may(page, 'Review files').uncheck()
  await save(page).click()
  await page.getByRole('link', { name: 'Validation' }).waitFor({ state: 'detached' })
  expect(offences).toEqual([])
})

const looks = [
  ['the desktop in the dark', { ...desktop, colorScheme: 'dark' }],
  ['a phone in light', { ...phone, colorScheme: 'light' }],
] as const

test.each(looks)(
  'on %s a role is chosen from the list, and there are no accessibility barriers',
  async (_where, options) => {
    const name = await buildRole(server, ['files:read'])
    const { page, offences } = await open(admin, '/settings/roles', options)
    await choose(page, name)
    await may(page, 'Read files').waitFor()
    expect(await findBarriers(page)).toEqual([])
    if (options.viewport?.width === phone.viewport?.width) {
      await page.getByRole('button', { name: 'Roles' }).click()
      await page.getByRole('button', { name: 'New role' }).waitFor()
    }
    expect(offences).toEqual([])
  },
)
