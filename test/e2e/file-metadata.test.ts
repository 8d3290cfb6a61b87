/** A file's metadata in the details panel: reading and correcting values of every type. */
import { beforeAll, expect, test } from 'vitest'
import { getFile, setFileMetadata } from '../../src/api/files.ts'
import { type FieldType, fieldTypes, type MetadataField } from '../../src/api/metadata.ts'
import { buildField, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { row } from './browser.ts'
import { buildOwner, fact, openDetails, panel, section } from './details-panel.ts'
import { browser, openSite, server } from './site.ts'

const fields = new Map<FieldType, MetadataField>()

const labels: Record<FieldType, string> = {
  text: 'Photographer',
  textarea: 'Notes',
  number: 'Price',
  date: 'Shot on',
  checkbox: 'Model release',
  email: 'Contact',
  url: 'Source',
  select: 'License',
}

openSite()

beforeAll(async () => {
  const admin = await buildUser(server, { role: 'admin' })
  for (const field_type of fieldTypes) {
    const options = field_type === 'select' ? ['CC BY 4.0', 'Internal use'] : undefined
    fields.set(field_type, await buildField(admin, { label: labels[field_type], field_type, options }))
  }
})

const idOf = (type: FieldType): number => fields.get(type)?.id ?? 0

const given: [FieldType, string][] = [
  ['text', 'Łukasz Wiśniewski'],
  ['textarea', 'two\nlines'],
  ['number', '12.5'],
  ['date', '2026-11-14'],
  ['email', 'jana@example.org'],
  ['url', 'https://example.org/a'],
  ['select', 'Internal use'],
]

test('values of every type can be read and edited in the panel', async () => {
  const owned = await buildOwner(server)
  const { page, offences } = await browser.open()
  await openDetails(page, owned)
  await row(page, 'green.png').click()
  await section(page, 'Metadata').getByRole('button', { name: 'Edit metadata' }).click()
  for (const [type, value] of given) {
    const control = section(page, 'Metadata').getByLabel(labels[type])
    await (type === 'select' ? control.selectOption(value) : control.fill(value))
  }
  await section(page, 'Metadata').getByLabel('Model release').check()
  await section(page, 'Metadata').getByRole('button', { name: 'Save' }).click()
  await fact(page, 'Model release').getByText('Yes').waitFor()
  await expect.poll(() => fact(page, 'Shot on').textContent()).toBe('14 Nov 2026')
  await expect.poll(() => fact(page, 'Source').getByRole('link').getAttribute('rel')).toContain('noopener')
  const { file } = await owned.user.call(getFile, { id: owned.file.id })
  const values = new Map(file.metadata.map(({ field_id, value }) => [field_id, value]))
  for (const [type, value] of [...given, ['checkbox', 'true'] as const]) expect(values.get(idOf(type))).toBe(value)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Edit metadata')
  expect(offences).toEqual([])
})

test('an invalid value shows an error beside its field, and nothing typed is lost', async () => {
  const owned = await buildOwner(server)
  await owned.user.call(setFileMetadata, {
    id: owned.file.id,
    metadata: [{ field_id: idOf('text'), value: 'Jana' }],
  })
  const { page } = await browser.open()
  await openDetails(page, owned)
  await row(page, 'green.png').click()
  const metadata = section(page, 'Metadata')
  await metadata.getByText('Jana').waitFor()
  await metadata.getByRole('button', { name: 'Edit metadata' }).click()
  // The browser accepts this address, but the server does not.
  await metadata.getByLabel('Source').fill('ftp://example.org')
  await metadata.getByRole('button', { name: 'Save' }).click()
  await metadata.getByText('Source must be an address that begins with http:// or https://').waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('url')
  await metadata.getByLabel('Source').fill('https://example.org')
  await metadata.getByLabel('Contact').fill('nobody')
  await metadata.getByRole('button', { name: 'Save' }).click()
  await metadata.getByText('Contact must be an email address').waitFor()

  await row(page, 'notes.txt').click()
  await panel(page).getByText('Document · ').waitFor()
  await row(page, 'green.png').click()
  await expect.poll(() => metadata.getByLabel('Contact').inputValue()).toBe('nobody')
  await metadata.getByLabel('Contact').fill('')
  await page.route(/\/metadata$/, route => route.abort())
  await metadata.getByRole('button', { name: 'Save' }).click()
  await metadata.getByText('Failed to save metadata').waitFor()
  await expect.poll(() => metadata.getByLabel('Source').inputValue()).toBe('https://example.org')
  await page.unroute(/\/metadata$/)
  await metadata.getByRole('button', { name: 'Save' }).click()
  await fact(page, 'Source').getByRole('link').waitFor()
  await metadata.getByRole('button', { name: 'Edit metadata' }).click()
  await metadata.getByLabel('Photographer').fill('Somebody else')
  await metadata.getByRole('button', { name: 'Cancel' }).click()
  await fact(page, 'Photographer').getByText('Jana').waitFor()
})

test('the metadata form has no accessibility barriers in either theme', async () => {
  const owned = await buildOwner(server)
  const { page } = await browser.open()
  await openDetails(page, owned)
  await row(page, 'green.png').click()
  await section(page, 'Metadata').getByRole('button', { name: 'Edit metadata' }).click()
  await section(page, 'Metadata').getByLabel('Contact').fill('nobody')
  await section(page, 'Metadata').getByRole('button', { name: 'Save' }).click()
  await section(page, 'Metadata').getByText('Contact must be an email address').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
