/** Settings → Audit: the log of actions, its filters and its CSV export. */
import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { listAudit } from '../../src/api/events.ts'
import { createField, deleteField, updateField } from '../../src/api/metadata.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { findBarriers } from './accessible.ts'
import { createOpener } from './admin-pages.ts'
import { desktop, phone } from './browser.ts'
import { rings } from './list-items.ts'
import { browser, openSite, server } from './site.ts'

let admin: BuiltUser
let open: ReturnType<typeof createOpener>

openSite()

beforeAll(async () => {
  open = createOpener(browser)
  admin = await buildUser(server, { role: 'admin' })
})

const openAudit = (options: BrowserContextOptions = desktop) => open(admin, '/settings/audit', options)

describe('the audit log', () => {
  test('describes actions in plain words, newest first, and filters them by user, action and date', async () => {
    const somebody = await buildUser(server, { username: 'somebody' })
    await buildFolder(somebody, 'Plans')
    await buildFile(somebody, { name: 'plan.txt' }, 'x'.repeat(2048))
    const { id } = await admin.call(createField, { name: 'audited', label: 'Audited', field_type: 'text' })
    await admin.call(updateField, { id, label: 'Audited well' })
    await admin.call(deleteField, { id })
    const { page, offences } = await openAudit()
    const sentences = () => page.getByRole('table', { name: 'Audit log' }).getByRole('button').allInnerTexts()
    await expect
      .poll(async () => (await sentences()).find(words => words !== 'signed in'))
      .toBe('deleted the metadata field audited')
    await page.getByLabel('Username').fill('somebody')
    await expect.poll(sentences).toEqual(['uploaded plan.txt (2.00 KB)', 'created the folder Plans', 'signed in'])
    await page.getByLabel('Action').selectOption('folder')
    await expect.poll(sentences).toEqual(['created the folder Plans'])
    await page.getByRole('button', { name: 'created the folder Plans' }).click()
    const dialog = page.getByRole('dialog', { name: 'Event' })
    await dialog.getByText('folder.create').waitFor()
    await dialog.getByRole('region', { name: 'Details' }).getByText('Plans').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('To', { exact: true }).fill('2001-01-01')
    await page.getByText('No events match these filters.').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(async () => (await sentences()).length).toBeGreaterThan(4)
    expect(offences).toEqual([])
  })

  test('summarises a ZIP download of many items, and the downloads above the hourly limit of single entries', async () => {
    const [reader, packer] = [
      await buildUser(server, { username: 'reader' }),
      await buildUser(server, { username: 'packer' }),
    ]
    const body = JSON.stringify({ ids: [(await buildFile(packer)).id, (await buildFolder(packer)).id] })
    const headers = { 'content-type': 'application/json' }
    await (await packer.raw('/api/files/archive', { method: 'POST', headers, body })).arrayBuffer()
    const actor = { userId: reader.id, name: 'reader', keyId: null, address: null }
    for (let itemId = 0; itemId <= 1000; itemId++) {
      server.deps.journal.note({ actor, action: 'file.download', itemId, detail: { name: `${itemId}.txt` } })
    }
    await server.deps.journal.flush()
    const { page, offences } = await openAudit()
    const newest = async () => {
      const words = await page.getByRole('table', { name: 'Audit log' }).getByRole('button').allInnerTexts()
      return words.slice(0, 2)
    }
    await page.getByLabel('Username').fill('reader')
    await expect.poll(newest).toEqual(['downloaded more within an hour than is told one by one', 'downloaded 999.txt'])
    await page.getByLabel('Username').fill('packer')
    await page.getByLabel('Action').selectOption('file.download')
    await expect.poll(newest).toEqual([expect.stringMatching(/^downloaded 2 items in filestore-[\d-]{10}\.zip$/)])
    expect(offences).toEqual([])
  })

  test('exports the filtered entries as CSV', async () => {
    const somebody = await buildUser(server, { username: 'saved' })
    await buildFolder(somebody, 'Plans, "and" more')
    const { page, offences } = await openAudit()
    await page.getByLabel('Username').fill('saved')
    await page.getByLabel('Action').selectOption('folder')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toMatch(/^filestore-audit-[\d-]{10}\.csv$/)
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('folder.create')
    expect(offences).toEqual([])
  })

  test('shows the time on a phone beside the longest username', async () => {
    await buildFolder(await buildUser(server, { username: 'long'.repeat(12) }), 'Plans of long')
    const { page, offences } = await openAudit(phone)
    await page.getByRole('row').filter({ hasText: 'Plans of long' }).waitFor()
    const when = page.getByRole('row').filter({ hasText: 'Plans of long' }).getByRole('time')
    const box = await when.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(phone.viewport?.width ?? 0)
    expect(offences).toEqual([])
  })

  test("leads from an event of an own item to it in its folder, and from another user's item nowhere", async () => {
    await turnSettings(admin, { validation_enabled: true })
    const other = await buildUser(server, { username: 'waiting' })
    const folder = await buildFolder(admin, 'Mine')
    await buildFile(admin, { name: 'own event.txt', parent_id: folder.id })
    const foreign = await buildFile(other, { name: 'foreign event.txt' })
    await turnSettings(admin, { validation_enabled: false })
    const { page } = await openAudit()
    const event = page.getByRole('dialog', { name: 'Event' })
    const asked = page.waitForResponse(response => response.url().includes(`/api/files/${foreign.id}/`))
    await page.getByRole('button', { name: 'uploaded foreign event.txt' }).click()
    await event.getByText(String(foreign.id), { exact: true }).waitFor()
    expect((await asked).status()).toBe(404)
    expect(await event.getByRole('link').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'uploaded own event.txt' }).click()
    await event.getByRole('link', { name: 'Show in folder' }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folder.id}`)
    await rings(page, 'own event.txt')
    // A look at the foreign file, which waits for approval, would be in the log.
    await server.deps.journal.flush()
    expect((await admin.call(listAudit, { action: 'file.view' })).events).toEqual([])
  })

  test('shows an error when the export fails', async () => {
    const { page } = await openAudit()
    await page.route('**/api/audit/export*', route => route.abort())
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    await page.getByText('Failed to export the audit log').waitFor()
  })
})

const looks = [
  ['the desktop in light', { ...desktop, colorScheme: 'light' }],
  ['a phone in the dark', { ...phone, colorScheme: 'dark' }],
] as const

describe.each(looks)('on %s there are no accessibility barriers', (_where, options) => {
  test('in the audit log and the dialog of an event', async () => {
    const { page, offences } = await openAudit(options)
    await page.getByRole('button', { name: 'created the user' }).first().click()
    await page.getByRole('dialog', { name: 'Event' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(offences).toEqual([])
  })
})
