/** Settings: which tabs a user sees, the system's switches, and metadata fields. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listFields } from '../../src/api/metadata.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { listSettings } from '../../src/api/settings.ts'
import { type BuiltUser, buildField, buildRole, buildUser, turnSettings } from '../support/factories.ts'
import { findBarriers } from './accessible.ts'
import { breakCall, createOpener } from './admin-pages.ts'
import { desktop, enter, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let admin: BuiltUser
let open: ReturnType<typeof createOpener>

openSite()

beforeAll(async () => {
  open = createOpener(browser)
  admin = await buildUser(server, { role: 'admin' })
})

beforeEach(() =>
  turnSettings(admin, {
    validation_enabled: false,
    allow_self_validation: false,
    metadata_enabled: true,
    metadata_required_on_upload: false,
  }),
)

const openSettings = (tab: string, user = admin, options: BrowserContextOptions = desktop) =>
  open(user, `/settings/${tab}`, options)

const switchOf = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })
const settingOf = async (key: string) => (await admin.call(listSettings, {})).find(each => each.key === key)?.value

describe('the tabs of the settings', () => {
  test("are those that the user's permissions allow, and any other address leads to the first of them", async () => {
    const permissions: Permission[] = ['files:read', 'metadata:manage', 'roles:manage']
    const keeper = await buildUser(server, { role: await buildRole(server, permissions) })
    const { page, offences } = await openSettings('users', keeper)
    await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Metadata Fields', 'Roles'])
    await expect.poll(() => new URL(page.url()).pathname).toBe('/settings/metadata')
    await page.getByRole('tab', { name: 'Roles' }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/settings/roles')
    expect(offences).toEqual([])
  })

  test('are replaced by a message for a user without permission', async () => {
    const { page } = await openSettings('users', await buildUser(server))
    await page.getByText('Admin access required to manage users').waitFor()
    expect(await page.getByRole('tab').count()).toBe(0)
  })
})

describe('the system settings', () => {
  test('take effect at once, and a dependent switch says why it is disabled', async () => {
    const { page, offences } = await openSettings('')
    await switchOf(page, 'Enable validation').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/settings/system')
    for (const name of ['Allow self-validation', 'Approve files of reviewers at once']) {
      await expect.poll(() => switchOf(page, name).isDisabled()).toBe(true)
    }
    await page.getByText('Has no effect until ‘Enable validation’ is on.').first().waitFor()
    await expect.poll(() => switchOf(page, 'Require metadata on upload').isEnabled()).toBe(true)
    // check() looks only once, during the rendering that the click started, so poll instead.
    for (const name of ['Enable validation', 'Allow self-validation', 'Enable metadata']) {
      const isOn = await switchOf(page, name).isChecked()
      await switchOf(page, name).click()
      await expect.poll(() => switchOf(page, name).isChecked()).toBe(!isOn)
    }
    await expect.poll(() => switchOf(page, 'Require metadata on upload').isDisabled()).toBe(true)
    await expect.poll(() => settingOf('metadata_enabled')).toBe('false')
    await expect.poll(() => settingOf('validation_enabled')).toBe('true')
    await expect.poll(() => settingOf('allow_self_validation')).toBe('true')
    expect(offences).toEqual([])
  })

  test('show a notice when the server refuses a change, and the switch goes back', async () => {
    const { page } = await openSettings('system')
    await breakCall(page, '**/api/settings/*', 'PUT')
    await switchOf(page, 'Enable validation').click()
    const notice = page.getByRole('status').filter({ hasText: "Failed to turn on 'Enable validation'" })
    await notice.waitFor()
    await expect.poll(() => switchOf(page, 'Enable validation').isChecked()).toBe(false)
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await notice.waitFor({ state: 'detached' })
  })

  test('show version, database, free space and counts', async () => {
    const { page } = await openSettings('system')
    const information = page.getByRole('region', { name: 'System information' })
    await information.getByText(server.databaseFlag === undefined ? 'SQLite' : 'MariaDB').waitFor()
    for (const label of ['Version', 'Free space', 'Users', 'Files', 'Folders', 'Pending files']) {
      await information.getByText(label, { exact: true }).waitFor()
    }
  })

  test('show an error when they fail to load, and Retry loads them', async () => {
    const { page } = await browser.open()
    const logged: string[] = []
    page.on('console', message => logged.push(message.text()))
    await breakCall(page, '**/api/settings', 'GET', 'The database is away')
    await enter(page, admin, '/settings/system')
    await page.getByText('The database is away').waitFor()
    expect(logged.join()).toContain('Failed to load settings')
    await page.unroute('**/api/settings')
    await page.getByRole('button', { name: 'Retry' }).click()
    await switchOf(page, 'Enable validation').waitFor()
  })
})

describe('metadata fields', () => {
  test('are created with an internal name of small letters, and with their own options', async () => {
    const { page, offences } = await openSettings('metadata')
    for (const name of ['Upload date', 'Uploaded by', 'File type']) {
      const system = row(page, name)
      await system.getByText('Always included').waitFor()
      expect(await system.getByRole('button').count()).toBe(0)
    }
    await page.getByRole('button', { name: 'New Field' }).click()
    const dialog = page.getByRole('dialog', { name: 'New Field' })
    await dialog.getByText('Lowercase letters and underscores only').waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: 'Create Field' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Label').fill('Größe in cm')
    await expect.poll(() => dialog.getByLabel('Internal name').inputValue()).toBe('grosse_in_cm')
    await dialog.getByLabel('Internal name').fill('Paper Size')
    await expect.poll(() => dialog.getByLabel('Internal name').inputValue()).toBe('paper_size')
    await dialog.getByLabel('Type').selectOption('select')
    await dialog.getByLabel('Option 1', { exact: true }).fill('A4')
    await page.keyboard.press('Enter')
    await page.keyboard.type('A3')
    await dialog.getByRole('button', { name: 'Move option 2 up' }).click()
    await dialog.getByLabel('Required').check()
    await dialog.getByRole('button', { name: 'Create Field' }).click()
    await row(page, 'Größe in cm').getByText('Required').waitFor()
    const made = (await admin.call(listFields, {})).find(({ name }) => name === 'paper_size')
    expect(made).toMatchObject({ label: 'Größe in cm', field_type: 'select', options: ['A3', 'A4'], is_required: true })
    expect(offences).toEqual([])
  })

  test('can be edited in label, description, options and whether they are required', async () => {
    const field = await buildField(admin, { label: 'Licence', field_type: 'select', options: ['CC'] })
    const { page } = await openSettings('metadata')
    const sent: unknown[] = []
    page.on('request', request => {
      if (request.method() === 'PUT') sent.push(request.postDataJSON())
    })
    await page.getByRole('button', { name: 'Edit Licence' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Field' })
    await expect.poll(() => dialog.getByLabel('Internal name').isDisabled()).toBe(true)
    await expect.poll(() => dialog.getByLabel('Type').isDisabled()).toBe(true)
    await dialog.getByLabel('Label').fill('License')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row(page, 'License').waitFor()
    expect(sent).toEqual([{ label: 'License', description: null, is_required: false, options: ['CC'] }])
    expect((await admin.call(listFields, {})).find(({ id }) => id === field.id)?.label).toBe('License')
  })

  test('are switched off and on, and switch back when the request fails', async () => {
    const field = await buildField(admin, { label: 'Switched' })
    const { page } = await openSettings('metadata')
    const toggle = switchOf(page, 'Switched enabled')
    await toggle.uncheck()
    await expect
      .poll(async () => (await admin.call(listFields, {})).find(({ id }) => id === field.id)?.is_enabled)
      .toBe(false)
    await breakCall(page, '**/api/metadata/fields/*', 'PUT')
    await toggle.click()
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to toggle field' })
    await alert.waitFor()
    await expect.poll(() => toggle.isChecked()).toBe(false)
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await alert.waitFor({ state: 'detached' })
  })

  test('are deleted after a confirmation, and show an error when that fails', async () => {
    await buildField(admin, { label: 'Doomed' })
    const { page } = await openSettings('metadata')
    await breakCall(page, '**/api/metadata/fields/*', 'DELETE')
    await page.getByRole('button', { name: 'Delete Doomed' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete field?' })
    await dialog.getByText('This action cannot be undone.').waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('Failed to delete field').waitFor()
    await page.unroute('**/api/metadata/fields/*')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await row(page, 'Doomed').waitFor({ state: 'detached' })
  })

  test('keep what was typed when they cannot be saved, with the reason beside the field', async () => {
    const taken = await buildField(admin)
    const { page } = await openSettings('metadata')
    await page.getByRole('button', { name: 'New Field' }).click()
    const dialog = page.getByRole('dialog', { name: 'New Field' })
    await dialog.getByLabel('Label').fill('Mine')
    await dialog.getByLabel('Internal name').fill(taken.name)
    await dialog.getByRole('button', { name: 'Create Field' }).click()
    await dialog.getByText(`'${taken.name}' is already taken`).waitFor()
    await expect.poll(() => dialog.getByLabel('Label').inputValue()).toBe('Mine')
    await breakCall(page, '**/api/metadata/fields', 'POST')
    await dialog.getByRole('button', { name: 'Create Field' }).click()
    await dialog.getByRole('alert').getByText('Failed to save field').waitFor()
  })

  test('show an error when they fail to load', async () => {
    const { page } = await browser.open()
    await breakCall(page, '**/api/metadata/fields', 'GET')
    await enter(page, admin, '/settings/metadata')
    await page.getByText('Failed to load metadata fields').waitFor()
    await page.unroute('**/api/metadata/fields')
    await page.getByRole('button', { name: 'Retry' }).click()
    await row(page, 'Upload date').waitFor()
  })
})

const looks = [
  ['the desktop in light', { ...desktop, colorScheme: 'light' }],
  ['a phone in the dark', { ...phone, colorScheme: 'dark' }],
] as const

describe.each(looks)('on %s there are no accessibility barriers', (_where, options) => {
  test('in the system switches', async () => {
    const { page, offences } = await openSettings('system', admin, options)
    await switchOf(page, 'Enable validation').waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(offences).toEqual([])
  })

  test('in metadata fields', async () => {
    await buildField(admin, { label: 'Seen by axe' })
    const { page, offences } = await openSettings('metadata', admin, options)
    await row(page, 'Seen by axe').first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(offences).toEqual([])
  })

  test('in the form of a metadata field', async () => {
    const { page, offences } = await openSettings('metadata', admin, options)
    await page.getByRole('button', { name: 'New Field' }).click()
    await page.getByRole('dialog').getByLabel('Type').selectOption('select')
    await page.getByLabel('Option 1', { exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(offences).toEqual([])
  })
})
