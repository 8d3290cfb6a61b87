/** Names with markup, on every screen that shows a name: the page shows them as text. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { updateProfile } from '../../../src/api/auth.ts'
import { favoriteFile } from '../../../src/api/files.ts'
import type { FileDetails } from '../../../src/api/items.ts'
import { createApiKey } from '../../../src/api/keys.ts'
import { type Permission, permissionKeys } from '../../../src/api/permissions.ts'
import { createRole, listPermissions } from '../../../src/api/roles.ts'
import { createTag, tagFiles } from '../../../src/api/tags.ts'
import { trashFile } from '../../../src/api/trash.ts'
import { decideFile } from '../../../src/api/validation.ts'
import { chooseFiles, desktop, row, signIn } from '../../e2e/browser.ts'
import { browser, openSite, server } from '../../e2e/site.ts'
import { button } from '../../e2e/viewer.ts'
import { openClient } from '../../support/client.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser, turnSettings } from '../../support/factories.ts'

/**
 * Markup that breaks out of text and attributes; `mark` identifies the name. File names may have no slash, usernames no
 * space.
 */
const hostile = (mark: string, gap = ' '): string => `${mark}"'<img${gap}src=x${gap}onerror=hit()>\${1}`

let user: BuiltUser
let folderId: number
let fileId: number
let pendingId: number
let page: Page
let offences: string[]

openSite()

async function buildRoleOf(admin: BuiltUser): Promise<string> {
  const { permissions } = await admin.call(listPermissions, {})
  const ids = permissions.filter(entry => permissionKeys.includes(entry.key as Permission)).map(entry => entry.id)
  const role = { name: hostile('mark-role'), description: hostile('mark-about'), permission_ids: ids }
  return (await admin.call(createRole, role)).role.name
}

/** Makes the data that only others can make for a user: pending files, decisions, failed sign-ins. */
async function actAsOthers(file: FileDetails): Promise<void> {
  const other = await buildUser(server, { username: hostile('mark-other', '/') })
  const reviewer = await buildUser(server, { role: 'admin' })
  await turnSettings(reviewer, { validation_enabled: true })
  pendingId = (await buildFile(other, { name: `${hostile('mark-pending')}.txt` }, hostile('mark-text'))).id
  const rejected = await buildFile(user, { name: `${hostile('mark-rejected')}.txt`, parent_id: file.parent_id })
  await reviewer.call(decideFile, { file_id: rejected.id, status: 'rejected', comment: hostile('mark-comment') })
  const headers = { 'content-type': 'application/json', 'user-agent': hostile('mark-agent') }
  for (const [username, password] of [
    [user.username, 'wrong password'],
    [user.username, user.password],
  ]) {
    await openClient(server.url).raw('/api/auth/login', {
      method: 'POST',
      headers,
      body: JSON.stringify({ username, password }),
    })
  }
}

beforeAll(async () => {
  const admin = await buildUser(server, { role: 'admin' })
  user = await buildUser(server, { username: hostile('mark-user', '/'), role: await buildRoleOf(admin) })
  await user.call(updateProfile, { full_name: hostile('mark-name') })
  const field = await buildField(admin, { label: hostile('mark-label'), description: hostile('mark-hint') })
  const options = [hostile('mark-option'), 'other']
  await buildField(admin, { label: hostile('mark-choice'), field_type: 'select', options })
  folderId = (await buildFolder(user, hostile('mark-folder'))).id
  const metadata = [{ field_id: field.id, value: hostile('mark-value') }]
  const file = await buildFile(
    user,
    { name: `${hostile('mark-file')}.txt`, parent_id: folderId, metadata },
    hostile('mark-text'),
  )
  fileId = file.id
  const { tag } = await user.call(createTag, { name: hostile('mark-tag'), color: '#EF4444' })
  await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
  await user.call(favoriteFile, { id: file.id, is_favorite: true })
  await user.call(createApiKey, { name: hostile('mark-key'), permissions: ['files:read'] })
  await user.call(trashFile, { id: (await buildFile(user, { name: hostile('mark-trashed') })).id })
  await actAsOthers(file)
  const opened = await browser.openLasting(desktop)
  page = opened.page
  offences = opened.offences
  await page.goto('/')
  await signIn(page, user.username, user.password)
})

/** Waits until the marks are in the page, and expects that no name became an element or attribute. */
async function expectRead(marks: readonly string[]): Promise<void> {
  const missing = async () => {
    const content = (await page.content()).toLowerCase()
    return marks.filter(mark => !content.includes(mark))
  }
  await expect.poll(missing, { message: page.url() }).toEqual([])
  const made = page.locator('[onerror], [onload], [onclick], img[src="x"], a[href^="javascript:" i]')
  expect({ url: page.url(), made: await made.count() }).toEqual({ url: page.url(), made: 0 })
}

/** Each screen with the names that it shows. */
const screens = (): [path: string, ...marks: string[]][] => [
  ['/files', 'mark-name', 'mark-folder'],
  [`/files/${folderId}`, 'mark-folder', 'mark-file', 'mark-tag', 'mark-comment'],
  [`/files/${folderId}?preview=${fileId}`, 'mark-file', 'mark-text'],
  [`/view/${fileId}`, 'mark-file', 'mark-text'],
  ['/favorites', 'mark-file'],
  ['/trash', 'mark-trashed'],
  ['/overview', 'mark-user', 'mark-name', 'mark-file', 'mark-role'],
  ['/api-keys', 'mark-key'],
  ['/tags', 'mark-tag'],
  [`/search?q=${encodeURIComponent('mark-file')}`, 'mark-file'],
  [`/search?q=${encodeURIComponent(hostile('mark-query'))}`, 'mark-query'],
  ['/settings/metadata', 'mark-label', 'mark-hint'],
  ['/settings/users', 'mark-user', 'mark-name', 'mark-role', 'mark-other'],
  ['/settings/roles', 'mark-role', 'mark-about'],
  ['/settings/audit', 'mark-user', 'mark-folder', 'mark-tag', 'mark-key'],
  ['/validation', 'mark-pending', 'mark-other'],
  [`/validation?preview=${pendingId}`, 'mark-pending', 'mark-text'],
  ['/account', 'mark-user', 'mark-name'],
  [`/${encodeURIComponent(hostile('mark-nowhere'))}`, 'mark-name'],
  [`/settings/${encodeURIComponent(hostile('mark-tab'))}`, 'mark-name'],
  [`/files/${encodeURIComponent(hostile('mark-id'))}`, 'mark-name'],
  ['/login?next=javascript:hit()', 'mark-name'],
  ['/login?next=//localhost:9/', 'mark-name'],
  ['/login?next=/%5Clocalhost:9/', 'mark-name'],
]

describe('names with markup', () => {
  test('are shown as text on every screen', async () => {
    for (const [path, ...marks] of screens()) {
      await page.goto(path)
      await expectRead(marks)
    }
    expect(new URL(page.url()).origin).toBe(server.url)
    expect(offences).toEqual([])
  })

  test('are shown as text in dialogs and side panels', async () => {
    const name = `${hostile('mark-file')}.txt`
    await page.goto(`/files/${folderId}`)
    await button(page, 'Show details').click()
    await row(page, name).click()
    await expectRead(['mark-label', 'mark-value', 'mark-tag'])
    await button(page, 'Close details').click()
    await row(page, name).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Manage Tags' }).click()
    await page.getByRole('dialog').waitFor()
    await expectRead(['mark-tag'])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await chooseFiles(page, [{ name: hostile('mark-chosen'), mimeType: 'text/html', buffer: Buffer.from('x') }])
    await page.getByRole('dialog').waitFor()
    await expectRead(['mark-chosen', 'mark-label', 'mark-hint', 'mark-choice'])
    await page.getByRole('button', { name: 'Continue Upload' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectRead(['mark-chosen'])
    expect(offences).toEqual([])
  })

  test('are shown as text on the sign-in screen after a failed sign-in', async () => {
    const opened = await browser.open()
    await opened.page.goto('/login')
    await opened.page.getByLabel('Username').fill(hostile('mark-nobody'))
    await opened.page.getByLabel('Password', { exact: true }).fill(hostile('mark-password'))
    await opened.page.getByRole('button', { name: 'Sign In' }).click()
    await opened.page.getByText('Invalid username or password').first().waitFor()
    expect(await opened.page.locator('[onerror], img[src="x"]').count()).toBe(0)
    expect(opened.offences).toEqual([])
  })
})
