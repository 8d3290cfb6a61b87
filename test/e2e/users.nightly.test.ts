/** Users: creating, editing and deleting them, and what an administrator cannot do. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Permission } from '../../src/api/permissions.ts'
import { listUsers } from '../../src/api/users.ts'
import { type BuiltUser, buildFile, buildFolder, buildRole, buildUser } from '../support/factories.ts'
import { findBarriers, findBarriersInBothThemes } from './accessible.ts'
import { breakCall, createOpener } from './admin-pages.ts'
import { desktop, phone, row, signIn } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let admin: BuiltUser
let open: ReturnType<typeof createOpener>

openSite()

beforeAll(async () => {
  open = createOpener(browser)
  admin = await buildUser(server, { role: 'admin', username: 'boss' })
})

const openUsers = () => open(admin, '/settings/users')
const findUser = async (username: string) =>
  (await admin.call(listUsers, {})).users.find(user => user.username === username)

/** Opens the form for a new user and fills in the required fields. */
async function begin(page: Page, username: string) {
  await page.getByRole('button', { name: 'New User' }).click()
  const dialog = page.getByRole('dialog', { name: 'New User' })
  await dialog.getByLabel('Username').fill(username)
  await dialog.getByLabel('Email').fill(`${username}@example.org`)
  return dialog
}

async function remove(page: Page, username: string) {
  await row(page, username).hover()
  await page.getByRole('button', { name: `Delete ${username}`, exact: true }).click()
  return page.getByRole('dialog', { name: 'Delete user?' })
}

describe('creating a user', () => {
  test('without a password shows a temporary one once, and the user signs in with it', async () => {
    const { page, offences } = await openUsers()
    const dialog = await begin(page, 'anna')
    await expect.poll(() => dialog.getByLabel('Role').inputValue()).toBe('user')
    const quota = dialog.getByLabel('Storage quota (GB)')
    await expect.poll(() => quota.inputValue()).toBe('5')
    await expect.poll(() => quota.getAttribute('min')).toBe('1')
    await expect.poll(() => quota.getAttribute('step')).toBe('0.1')
    await quota.fill('2.5')
    await dialog.getByRole('button', { name: 'Create User' }).click()
    const shown = page.getByRole('dialog', { name: 'Temporary password' })
    const password = await shown.getByLabel('Temporary password', { exact: true }).inputValue()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    for (const key of ['Enter', 'Escape']) await page.keyboard.press(key)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await shown.getByRole('button', { name: 'Copy password' }).click()
    await shown.getByText('Copied').waitFor({ state: 'attached' })
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password)
    await shown.getByRole('button', { name: 'I have saved it' }).click()
    await row(page, 'anna').getByTitle('0 Bytes of 2.50 GB, 0.0% used').waitFor()
    expect(await findUser('anna')).toMatchObject({ role: 'user', storage_quota: 2.5 * 1024 ** 3, full_name: null })
    expect(offences).toEqual([])
    const { page: hers } = await browser.open()
    await hers.goto('/')
    await signIn(hers, 'anna', password)
    await hers.getByText('This password was given to you.').waitFor()
  })

  test('with a password closes the form and shows no password', async () => {
    const { page } = await openUsers()
    const dialog = await begin(page, 'berta')
    await dialog.getByLabel('Full name').fill('Berta Berg')
    await dialog.getByLabel('Password', { exact: true }).fill('a password of hers')
    await dialog.getByLabel('Role').selectOption('admin')
    await dialog.getByRole('button', { name: 'Create User' }).click()
    await page.getByRole('status').getByText('User created').waitFor()
    await row(page, 'berta').getByText('ADMIN').waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(await findUser('berta')).toMatchObject({ full_name: 'Berta Berg', role: 'admin' })
  })

  test('needs a username and an email, and keeps what was typed with the reason beside the field', async () => {
    const { page } = await openUsers()
    const dialog = await begin(page, ' ')
    await dialog.getByLabel('Email').fill('')
    await dialog.getByLabel('Storage quota (GB)').fill('0.5')
    await dialog.getByRole('button', { name: 'Create User' }).click()
    for (const problem of ['Username is required', 'Email is required', 'Give at least 1 GB']) {
      await dialog.getByText(problem).waitFor()
    }
    await dialog.getByLabel('Username').fill('boss')
    await dialog.getByLabel('Email').fill('new@example.org')
    await dialog.getByLabel('Storage quota (GB)').fill('1')
    await dialog.getByRole('button', { name: 'Create User' }).click()
    await dialog.getByText("'boss' is already taken").waitFor()
    await expect.poll(() => dialog.getByLabel('Email').inputValue()).toBe('new@example.org')
    await breakCall(page, '**/api/users', 'POST')
    await dialog.getByLabel('Username').fill('new')
    await dialog.getByRole('button', { name: 'Create User' }).click()
    await dialog.getByRole('alert').getByText('Failed to create user').waitFor()
  })

  test('offers only admin and user while the roles fail to load', async () => {
    const { page } = await open(admin, '/settings/system')
    await breakCall(page, '**/api/roles', 'GET')
    await page.getByRole('tab', { name: 'Users' }).click()
    const dialog = await begin(page, 'fallback')
    await expect.poll(() => dialog.getByLabel('Role').getByRole('option').allInnerTexts()).toEqual(['admin', 'user'])
  })
})

describe('editing a user', () => {
  test('keeps the role while the roles fail to load, and the quota when its field is empty', async () => {
    const role = await buildRole(server, ['files:read'])
    const user = await buildUser(server, { username: 'edgar', role })
    const { page } = await open(admin, '/settings/system')
    await breakCall(page, '**/api/roles', 'GET')
    await page.getByRole('tab', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Edit edgar' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit edgar' })
    await expect.poll(() => dialog.getByLabel('Role').inputValue()).toBe(role)
    const before = await findUser('edgar')
    await dialog.getByLabel('Storage quota (GB)').fill('')
    await dialog.getByLabel('Full name').fill('Edgar')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await findUser('edgar')).toEqual({ ...before, id: user.id, full_name: 'Edgar' })
  })

  test('sends only the fields that changed, and can disable the user', async () => {
    const user = await buildUser(server, { username: 'carl' })
    const { page, offences } = await openUsers()
    const sent: unknown[] = []
    page.on('request', request => {
      if (request.method() === 'PUT') sent.push(request.postDataJSON())
    })
    await page.getByRole('button', { name: 'Edit carl' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit carl' })
    await dialog.getByText('Left blank, the current one stays').waitFor()
    await dialog.getByLabel('Email').fill('')
    await dialog.getByLabel('Full name').fill('Carl Carlsson')
    await dialog.getByRole('switch', { name: 'Active' }).uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row(page, 'carl').getByText('Inactive').waitFor()
    await page.getByRole('status').getByText('User saved').waitFor()
    await row(page, 'carl').getByText('0 Bytes of 5.00 GB').waitFor()
    expect(sent).toEqual([{ full_name: 'Carl Carlsson', is_active: false }])
    expect(await findUser('carl')).toMatchObject({ id: user.id, full_name: 'Carl Carlsson', is_active: false })
    expect(offences).toEqual([])
  })

  test('shows an error when it fails, and keeps what was typed', async () => {
    await buildUser(server, { username: 'dora' })
    const { page } = await openUsers()
    await breakCall(page, '**/api/users/*', 'PUT')
    await page.getByRole('button', { name: 'Edit dora' }).click()
    await page.getByRole('dialog').getByLabel('Full name').fill('Dora')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Failed to update user').waitFor()
    await expect.poll(() => page.getByRole('dialog').getByLabel('Full name').inputValue()).toBe('Dora')
  })

  test("cannot change the administrator's own role, password or access, and says why", async () => {
    const { page } = await openUsers()
    await page.getByRole('button', { name: 'Edit boss' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit boss' })
    await dialog.getByText('You cannot change your own role').waitFor()
    await dialog.getByText('Change your own password in your account').waitFor()
    await dialog.getByText('You cannot disable your own account').waitFor()
    await expect.poll(() => dialog.getByLabel('Role').isDisabled()).toBe(true)
    await expect.poll(() => dialog.getByRole('switch', { name: 'Active' }).isDisabled()).toBe(true)
  })

  test('is disabled for a user with a permission that the editor lacks, and so are roles with such a permission', async () => {
    const permissions: Permission[] = ['files:read', 'users:manage']
    const keeper = await buildUser(server, { role: await buildRole(server, permissions) })
    const { page } = await open(keeper, '/settings/users')
    const dialog = await begin(page, 'someone')
    const option = dialog.getByRole('option', { name: 'admin (has a permission that you lack)' })
    await option.waitFor({ state: 'attached' })
    await expect.poll(() => option.isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    for (const act of ['Edit', 'Delete']) {
      const button = page.getByRole('button', { name: `${act} boss: This user has a permission that you lack` })
      await expect.poll(() => button.isDisabled()).toBe(true)
    }
    const small = await open(keeper, '/settings/users', phone)
    await small.page.getByRole('button', { name: 'Actions for boss' }).click()
    await small.page.getByText('This user has a permission that you lack').waitFor()
    expect(small.offences).toEqual([])
  })
})

describe('deleting a user', () => {
  test("is disabled for the administrator's own account, with the reason", async () => {
    const { page } = await openUsers()
    const button = page.getByRole('button', { name: 'Delete boss: You cannot delete your own account' })
    await button.waitFor()
    await expect.poll(() => button.isDisabled()).toBe(true)
    await expect.poll(() => button.getAttribute('title')).toBe('You cannot delete your own account')
  })

  test('asks first, and shows an error when it fails', async () => {
    await buildUser(server, { username: 'emil' })
    const { page, offences } = await openUsers()
    await breakCall(page, '**/api/users/*', 'DELETE')
    const dialog = await remove(page, 'emil')
    await dialog.getByText('This action cannot be undone.').waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('Failed to delete user').waitFor()
    await page.unroute('**/api/users/*')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await row(page, 'emil').waitFor({ state: 'detached' })
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'New User' }).evaluate(it => it === document.activeElement)).toBe(
      true,
    )
    expect(offences).toEqual([])
  })

  test('with files asks about them, and can transfer them to another user', async () => {
    const user = await buildUser(server, { username: 'fritz' })
    await buildFile(user, { name: 'legacy.txt' })
    await buildUser(server, { username: 'heir' })
    const { page } = await openUsers()
    const dialog = await remove(page, 'fritz')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('Choose what becomes of the files').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await dialog.getByLabel('Transfer to another user').check()
    await dialog.getByRole('combobox', { name: 'Transfer to' }).fill('heir')
    await page.getByRole('option', { name: 'heir' }).click()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await row(page, 'fritz').waitFor({ state: 'detached' })
    await expect.poll(async () => (await findUser('heir'))?.storage_used).toBeGreaterThan(0)
  })

  test('asks about files that only the server knows of, and can delete them', async () => {
    const user = await buildUser(server, { username: 'gerda' })
    await buildFolder(user)
    const { page } = await openUsers()
    const dialog = await remove(page, 'gerda')
    expect(await dialog.getByRole('radio').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('This user owns files. Choose what becomes of them.').waitFor()
    await dialog.getByLabel('Delete files').check()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await row(page, 'gerda').waitFor({ state: 'detached' })
  })
})

describe('the list of users', () => {
  test('shows an error when it fails to load, and a message to a user without permission', async () => {
    const { page } = await open(admin, '/settings/system')
    await breakCall(page, '**/api/users?*', 'GET')
    await page.getByRole('tab', { name: 'Users' }).click()
    await page.getByText('Failed to load users').waitFor()
    await page.unroute('**/api/users?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await row(page, 'boss').waitFor()
    await breakCall(page, '**/api/users?*', 'GET', 'You may not do this', 403)
    await page.reload()
    await page.getByText('Admin access required to manage users').waitFor()
  })

  test('has a menu for each user on a phone', async () => {
    await buildUser(server, { username: 'heidi' })
    const { page, offences } = await open(admin, '/settings/users', phone)
    await page.getByRole('button', { name: 'Actions for boss' }).click()
    await page.getByText('You cannot delete your own account').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for heidi' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog', { name: 'Edit heidi' }).waitFor()
    expect(offences).toEqual([])
  })
})

const looks = [
  ['the desktop in the dark', { ...desktop, colorScheme: 'dark' }],
  ['a phone in light', { ...phone, colorScheme: 'light' }],
] as const

describe.each(looks)('on %s there are no accessibility barriers', (_where, options) => {
  test('in the list of users', async () => {
    const { page } = await open(admin, '/settings/users', options)
    await row(page, 'boss').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('in the form for a new user', async () => {
    const { page } = await open(admin, '/settings/users', options)
    const dialog = await begin(page, 'x')
    await dialog.getByLabel('Email').fill('')
    await dialog.getByRole('button', { name: 'Create User' }).click()
    await dialog.getByText('Email is required').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })
})
