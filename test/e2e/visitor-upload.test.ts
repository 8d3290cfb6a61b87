/** The visitor's page of a link that takes files: the form, sending, retrying and the report. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { updateLink } from '../../src/api/links.ts'
import { deleteField } from '../../src/api/metadata.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { buildLink } from '../support/visitor.ts'
import { findBarriers, findBarriersInBothThemes } from './accessible.ts'
import { onlyFirst, phone, row } from './browser.ts'
import { openSite, server } from './site.ts'
import { dropFiles, holdCalls, largeFile, slowDown, textFile } from './uploading.ts'
import { button } from './viewer.ts'
import { buildLinkPath, choose, overflowOf, visit } from './visitor.ts'

let anna: BuiltUser
let admin: BuiltUser

openSite({ maxFileSize: '4MB' })

beforeAll(async () => {
  anna = await buildUser(server)
  admin = await buildUser(server, { role: 'admin' })
})

const namesIn = async ({ id }: { id: number }): Promise<string[]> =>
  (await anna.call(listFiles, { parent_id: id })).files.map(({ name }) => name)

test('a visitor gives a name and what is asked for, and reads once that all has arrived', async () => {
  await turnSettings(admin, { metadata_enabled: true })
  const field = await buildField(admin, { label: 'Course', is_required: true })
  onTestFinished(async () => {
    await admin.call(deleteField, { id: field.id })
  })
  const folder = await buildFolder(anna, 'Essays')
  await buildFile(anna, { name: 'of another.txt', parent_id: folder.id }, 'x')
  const { page, offences } = await visit(await buildLinkPath(anna, folder, { level: 'upload', ask_name: true }))
  await page.getByRole('heading', { name: 'Essays', level: 1 }).waitFor()
  await button(page, 'Send').click()
  await page.getByText('Your name is required').waitFor()
  await page.getByText('Course is required').waitFor()
  await page.getByText('Choose at least one file').waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('sender')
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.getByLabel('Your name').fill('Ben Ott')
  await page.getByLabel('Course').fill('History')
  await choose(page, [textFile('one.txt'), textFile('two.txt')])
  await dropFiles(page, [['three.txt', 'third']])
  await page.getByText('three.txt').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await button(page, 'Send 3 files').click()
  await page.getByRole('heading', { name: '3 files have arrived. Thank you' }).waitFor()
  expect(await namesIn(folder)).toEqual([
    'Ben Ott - one.txt',
    'Ben Ott - three.txt',
    'Ben Ott - two.txt',
    'of another.txt',
  ])
  expect(await page.getByText('of another').count()).toBe(0)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await button(page, 'Send more files').click()
  expect(await page.getByLabel('Your name').inputValue()).toBe('Ben Ott')
  expect(offences).toEqual([])
})

const outOfOrder = { success: false, message: 'Out of order', error: 'internal', request_id: '' }

describe('a file that did not arrive', () => {
  test('stays when more files are sent, and goes with them', async () => {
    const folder = await buildFolder(anna, 'More')
    const { page } = await visit(await buildLinkPath(anna, folder, { level: 'upload' }))
    await page.route(
      '**/upload',
      onlyFirst(route => route.fulfill({ status: 500, json: outOfOrder }), 2),
    )
    await choose(page, [textFile('one.txt'), textFile('two.txt'), textFile('three.txt')])
    await button(page, 'Send 3 files').click()
    await page.getByRole('heading', { name: '1 of 3 files have arrived' }).waitFor()
    await button(page, 'Retry all 2').waitFor()
    await button(page, 'Send more files').click()
    await choose(page, [textFile('four.txt')])
    await button(page, 'Send 3 files').click()
    await page.getByRole('heading', { name: '3 files have arrived. Thank you' }).waitFor()
    expect(await namesIn(folder)).toEqual(['four.txt', 'one.txt', 'three.txt', 'two.txt'])
  })

  test('because the server refused it is sent again by the visitor', async () => {
    const folder = await buildFolder(anna, 'Broken')
    const { page } = await visit(await buildLinkPath(anna, folder, { level: 'upload' }))
    await page.route(
      '**/upload',
      onlyFirst(route => route.fulfill({ status: 500, json: outOfOrder })),
    )
    await choose(page, [textFile('one.txt'), textFile('two.txt')])
    await button(page, 'Send 2 files').click()
    await page.getByRole('heading', { name: '1 of 2 files have arrived' }).waitFor()
    await page.getByText('Out of order').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: /^Retry (one|two)\.txt$/ }).click()
    await page.getByRole('heading', { name: '2 files have arrived. Thank you' }).waitFor()
    expect(await namesIn(folder)).toEqual(['one.txt', 'two.txt'])
  })

  test.each([403, 404])('because a proxy answered %i for it holds up none of the others', async status => {
    const folder = await buildFolder(anna)
    const { page } = await visit(await buildLinkPath(anna, folder, { level: 'upload' }))
    await page.route('**/upload', route =>
      (route.request().postDataBuffer()?.includes('bad.txt') ?? false)
        ? route.fulfill({ status, body: '<html>' })
        : route.continue(),
    )
    await choose(page, [textFile('bad.txt'), textFile('one.txt'), textFile('two.txt'), textFile('three.txt')])
    await button(page, 'Send 4 files').click()
    await page.getByRole('heading', { name: '3 of 4 files have arrived' }).waitFor()
    expect(await namesIn(folder)).toEqual(['one.txt', 'three.txt', 'two.txt'])
    await page.unroute('**/upload')
    await button(page, 'Retry bad.txt').click()
    await page.getByRole('heading', { name: '4 files have arrived. Thank you' }).waitFor()
  })

  test('because its link was paused stays with all others, and goes once the link takes files again', async () => {
    const folder = await buildFolder(anna, 'Paused')
    const { id, token } = await buildLink(anna, folder, { level: 'upload' })
    const { page } = await visit(`/s/${token}`)
    await choose(
      page,
      ['one', 'two', 'three', 'four'].map(name => textFile(`${name}.txt`)),
    )
    await anna.call(updateLink, { id, is_active: false })
    await button(page, 'Send 4 files').click()
    await page.getByRole('alert').getByText('The link takes no files at the moment').waitFor()
    await button(page, 'Send 4 files').waitFor()
    await anna.call(updateLink, { id, is_active: true })
    await button(page, 'Send 4 files').click()
    await page.getByRole('heading', { name: '4 files have arrived. Thank you' }).waitFor()
    expect(await namesIn(folder)).toEqual(['four.txt', 'one.txt', 'three.txt', 'two.txt'])
  })

  test('because it is too large is named before anything is sent', async () => {
    const folder = await buildFolder(anna, 'Limited')
    const { page } = await visit(await buildLinkPath(anna, folder, { level: 'upload' }))
    await choose(page, [largeFile('huge.bin', 5_000_000)])
    await page.getByText('Too large: at most 4MB').waitFor()
    await button(page, 'Remove huge.bin').click()
    await page.getByText('huge.bin').waitFor({ state: 'detached' })
  })

  test('because the server is busy goes by itself after the time that the server names', async () => {
    const folder = await buildFolder(anna, 'Busy')
    const { page } = await visit(await buildLinkPath(anna, folder, { level: 'upload' }))
    const json = { success: false, message: 'Too many requests', error: 'rate_limited', request_id: '' }
    await page.route(
      '**/upload',
      onlyFirst(route => route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json })),
    )
    await choose(page, [textFile('one.txt')])
    await button(page, 'Send 1 file').click()
    await page.getByText('Sending goes on in a moment').waitFor()
    await page.getByRole('heading', { name: '1 file has arrived. Thank you' }).waitFor()
    expect(await namesIn(folder)).toEqual(['one.txt'])
  })

  test('because of what was typed leads back to the form', async () => {
    const folder = await buildFolder(anna, 'Typed')
    const { page } = await visit(await buildLinkPath(anna, folder, { level: 'upload', ask_name: true }))
    const fields = { sender: 'That is no name' }
    const json = { success: false, message: 'Invalid input', error: 'invalid_input', fields, request_id: '' }
    await page.route(
      '**/upload',
      onlyFirst(route => route.fulfill({ status: 400, json })),
    )
    await page.getByLabel('Your name').fill('Mallory')
    await choose(page, [textFile('one.txt')])
    await button(page, 'Send 1 file').click()
    await page.getByText('That is no name').waitFor()
    await page.getByLabel('Your name').fill('Ben')
    await button(page, 'Send 1 file').click()
    await page.getByRole('heading', { name: '1 file has arrived. Thank you' }).waitFor()
    expect(await namesIn(folder)).toEqual(['Ben - one.txt'])
  })
})

test('progress is shown for each file and for all while they are sent', async () => {
  const folder = await buildFolder(anna, 'Slow')
  const { page, offences } = await visit(await buildLinkPath(anna, folder, { level: 'upload' }))
  await slowDown(page, 500_000)
  await choose(page, [largeFile('slow.bin', 2_000_000)])
  await button(page, 'Send 1 file').click()
  const progress = page.getByRole('progressbar', { name: 'Sending slow.bin' })
  await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(5)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await slowDown(page, -1)
  await page.getByRole('heading', { name: '1 file has arrived. Thank you' }).waitFor()
  expect(offences).toEqual([])
})

test('a link for both shows the files, takes new ones, and then shows them too', async () => {
  const folder = await buildFolder(anna, 'Both')
  await buildFile(anna, { name: 'there.txt', parent_id: folder.id }, 'x')
  const { page, offences } = await visit(await buildLinkPath(anna, folder, { level: 'both' }))
  await row(page, 'there.txt').waitFor()
  await button(page, 'Upload files').click()
  await choose(page, [textFile('new.txt')])
  await button(page, 'Send 1 file').click()
  await page.getByRole('heading', { name: '1 file has arrived. Thank you' }).waitFor()
  await button(page, 'Files').click()
  await row(page, 'new.txt').waitFor()
  expect(offences).toEqual([])
})

test('on a phone there is the camera, and everything fits', async () => {
  const folder = await buildFolder(anna, 'Photos of the trip to the mountains with everybody')
  const { page, offences } = await visit(await buildLinkPath(anna, folder, { level: 'upload', ask_name: true }), {
    ...phone,
    viewport: { width: 320, height: 640 },
  })
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'Take a photo').tap()
  await (await chooser).setFiles([textFile(`${'long '.repeat(30)}.jpg`)])
  await page.getByRole('listitem').waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  const letGo = await holdCalls(page, '**/upload')
  await page.getByLabel('Your name').fill('Ben')
  await button(page, 'Send 1 file').tap()
  await page.getByText('Please keep this page open').waitFor()
  expect(await overflowOf(page)).toBe(0)
  letGo()
  await page.getByRole('heading', { name: '1 file has arrived. Thank you' }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(offences).toEqual([])
})
