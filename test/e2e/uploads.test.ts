/** Uploads: their rows, cancelling, retrying, and the folder that they go to. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { buildFolder, buildRole, buildUser } from '../support/factories.ts'
import { onlyNightly, rounds } from '../support/rounds.ts'
import { chooseFiles, enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { dropFiles, holdCalls, largeFile, slowDown, textFile, tray, uploadRow } from './uploading.ts'

openSite({ maxFileSize: '8MB' })

test('a running upload shows its progress, and cancelling it leaves nothing behind', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await slowDown(page, 1_000_000)
  await chooseFiles(page, [largeFile('slow.bin', 6_000_000)])
  const progress = uploadRow(page, 'slow.bin').getByRole('progressbar')
  await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(5)
  await uploadRow(page, 'slow.bin')
    .getByText(/of 5\.72 MB/)
    .waitFor()
  await page.getByRole('button', { name: 'Cancel slow.bin' }).click()
  await tray(page).waitFor({ state: 'detached' })
  await slowDown(page, -1)
  await chooseFiles(page, [textFile('after.txt')])
  await row(page, 'after.txt').waitFor()
  expect((await user.call(listFiles, {})).files.map(({ name }) => name)).toEqual(['after.txt'])
  expect(offences).toEqual([])
})

test('files that are sent together wait in the tray until their own first byte leaves', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await slowDown(page, 100_000)
  await chooseFiles(page, [
    textFile('first.txt', 'a'.repeat(900_000)),
    textFile('late.txt', 'b'.repeat(200_000)),
    textFile('empty.txt', ''),
  ])
  await uploadRow(page, 'first.txt')
    .getByText(/of 878\.91 KB/)
    .waitFor()
  await uploadRow(page, 'late.txt').getByText('Waiting · 195.31 KB').waitFor()
  expect(await uploadRow(page, 'late.txt').getByRole('progressbar').count()).toBe(0)
  await uploadRow(page, 'empty.txt').getByText('Waiting · 0 Bytes').waitFor()
  await slowDown(page, -1)
  await tray(page).waitFor({ state: 'detached' })
})

test('an upload that failed in the network can be retried', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await page.route('**/api/files/upload', route => route.abort())
  await chooseFiles(page, [textFile('broken.txt')])
  await uploadRow(page, 'broken.txt').getByText('Upload failed').waitFor()
  await page.unroute('**/api/files/upload')
  await page.getByRole('button', { name: 'Retry' }).click()
  await row(page, 'broken.txt').waitFor()
  await tray(page).waitFor({ state: 'detached' })
})

test('files dropped on the window are uploaded to the folder on screen', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Target')
  const { page, offences } = await browser.open()
  await enter(page, user, `/files/${folder.id}`)
  await page.getByText('This folder is empty').waitFor()
  const files = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['dropped'], 'dropped.txt'))
    return transfer
  })
  const header = page.getByRole('banner')
  await header.dispatchEvent('dragenter', { dataTransfer: files })
  await page.getByText('Drop to upload into Target').waitFor()
  await page.locator('main[data-over]').waitFor()
  await header.dispatchEvent('drop', { dataTransfer: files })
  await row(page, 'dropped.txt').waitFor()
  expect((await user.call(listFiles, { parent_id: folder.id })).total).toBe(1)
  expect(offences).toEqual([])
})

/** Hovers with files until the window shows the hint, as a user would: a page that just opened may not listen yet. */
async function hoverWithFile(page: Page, hint: string): Promise<void> {
  const files = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['dropped'], 'dropped.txt'))
    return transfer
  })
  const hover = async () => {
    await page.getByRole('banner').dispatchEvent('dragenter', { dataTransfer: files })
    return page.getByText(hint, { exact: true }).isVisible()
  }
  await expect.poll(hover).toBe(true)
}

test('the drop hint names no folder while the folder on screen loads', async context => {
  onlyNightly(context)
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Target')
  const hold = (page: Page) => holdCalls(page, `**/api/files?*parent_id=${folder.id}*`)
  const { page: first } = await browser.open()
  const release = await hold(first)
  await enter(first, user, `/files/${folder.id}`)
  await hoverWithFile(first, 'Drop to upload')
  release()
  await first.getByText('Drop to upload into Target').waitFor()

  const { page: later } = await browser.open()
  await enter(later, user)
  await row(later, 'Target').waitFor()
  await hoverWithFile(later, 'Drop to upload into Home')
  await hold(later)
  await later.getByRole('grid').getByRole('link', { name: 'Target' }).click()
  await later.getByText('Drop to upload', { exact: true }).waitFor()
})

test('a user who may not upload gets no hint, and dropping and pasting do nothing', async () => {
  const user = await buildUser(server, { role: await buildRole(server, ['files:read']) })
  const { page, offences } = await browser.open()
  await enter(page, user)
  await page.getByText('Nothing has been put here yet').waitFor()
  const files = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['dropped'], 'dropped.txt'))
    return transfer
  })
  const main = page.getByRole('main')
  await main.dispatchEvent('dragenter', { dataTransfer: files })
  await main.dispatchEvent('drop', { dataTransfer: files })
  await page.evaluate(clipboardData => {
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, files)
  expect(await page.locator('main[data-over]').count()).toBe(0)
  // An upload would have opened the tray before this dialog.
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await tray(page).count()).toBe(0)
  expect(offences).toEqual([])
})

test('hundreds of dropped files are all uploaded, and the page shows the progress and stays usable', async () => {
  const count = rounds(100, 600)
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await page.getByText('This folder is empty').waitFor()
  const names = Array.from({ length: count }, (_, index) => `file-${index}.txt`)
  await dropFiles(
    page,
    names.map(name => [name, `text of ${name}`] as const),
  )
  await tray(page)
    .getByText(new RegExp(`^Uploading \\d+ of ${count} \\d+%$`))
    .waitFor()
  await expect.poll(() => page.title()).toMatch(/^\d+% · Home · filestore$/)
  expect(await tray(page).getByRole('group').count()).toBeLessThan(60)
  await page.getByRole('button', { name: 'New Folder' }).first().click()
  await page.getByRole('textbox', { name: 'Folder Name' }).waitFor()
  await page.keyboard.press('Escape')
  await tray(page).waitFor({ state: 'detached', timeout: 60_000 })
  await page.getByText(`${count} items`).waitFor()
  await expect.poll(() => page.title()).toBe('Home · filestore')
  const { files } = await user.call(listFiles, {})
  expect(new Set(files.map(({ name }) => name))).toEqual(new Set(names))
  expect(offences).toEqual([])
})

test('signing out during an upload asks first', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await slowDown(page, 500_000)
  await chooseFiles(page, [largeFile('long.bin', 6_000_000)])
  await uploadRow(page, 'long.bin').getByRole('progressbar').waitFor()
  const question = page.getByRole('dialog', { name: 'Log out?' })
  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByText('Uploads that have not finished').waitFor()
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  await uploadRow(page, 'long.bin').getByRole('progressbar').waitFor()
  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
  expect(offences).toEqual([])
})

test('uploads continue in other sections, and cancelling all of them asks first', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await slowDown(page, 500_000)
  await chooseFiles(page, [largeFile('long.bin', 6_000_000)])
  await uploadRow(page, 'long.bin').getByRole('progressbar').waitFor()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByText('Trash is empty').waitFor()
  await page.getByRole('button', { name: 'Cancel all uploads' }).click()
  await page.getByText('1 file has not been uploaded yet.').waitFor()
  await page.getByRole('button', { name: 'Keep uploading' }).click()
  await uploadRow(page, 'long.bin').waitFor()
  await page.getByRole('button', { name: 'Cancel all uploads' }).click()
  await page.getByRole('button', { name: 'Cancel uploads', exact: true }).click()
  await tray(page).waitFor({ state: 'detached' })
})

test('a file chosen in the file dialog is uploaded although the tray closed meanwhile', async context => {
  onlyNightly(context)
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  const letGo = await holdCalls(page, '**/api/files/upload')
  await chooseFiles(page, [textFile('first.txt')])
  await uploadRow(page, 'first.txt').waitFor()
  const chooser = page.waitForEvent('filechooser')
  await tray(page).getByRole('button', { name: 'Drop files here or click to browse' }).click()
  const dialog = await chooser
  letGo()
  await tray(page).waitFor({ state: 'detached' })
  await dialog.setFiles([textFile('second.txt')])
  await row(page, 'second.txt').waitFor()
  expect(offences).toEqual([])
})

test('a file chosen while the folder loads is uploaded to that folder', async context => {
  onlyNightly(context)
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Slow')
  const { page } = await browser.open()
  await enter(page, user)
  const letGo = await holdCalls(page, `**/api/files?*parent_id=${folder.id}*`)
  await row(page, 'Slow').dblclick()
  await page.waitForURL(`**/files/${folder.id}`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const dialog = await chooser
  letGo()
  await page.getByText('This folder is empty').waitFor()
  await dialog.setFiles([textFile('chosen.txt')])
  await row(page, 'chosen.txt').waitFor()
  expect((await user.call(listFiles, { parent_id: folder.id })).total).toBe(1)
})

test('the tray names and uses the folder of its own tab, whatever folder another tab shows', async context => {
  onlyNightly(context)
  const user = await buildUser(server)
  const [own, other] = [await buildFolder(user, 'Own'), await buildFolder(user, 'Other')]
  const { page } = await browser.open()
  await enter(page, user, `/files/${own.id}`)
  await page.getByText('This folder is empty').waitFor()
  const toolbarChooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  await toolbarChooser
  const otherTab = await page.context().newPage()
  await otherTab.goto(`/files/${other.id}`)
  await otherTab.getByText('This folder is empty').waitFor()
  await page.getByRole('link', { name: 'Trash' }).click()
  const chooser = page.waitForEvent('filechooser')
  await tray(page)
    .getByRole('button', { name: /^Drop files here or click to browse .* into Own$/ })
    .click()
  await (await chooser).setFiles([textFile('mine.txt')])
  await expect.poll(async () => (await user.call(listFiles, { parent_id: own.id })).total).toBe(1)
  await page.goto('/')
  await page.waitForURL(`**/files/${other.id}`)
})

test('the question whether to cancel closes when the uploads end, and does not come back', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  const letGo = await holdCalls(page, '**/api/files/upload', route => route.fulfill({ status: 500, body: '' }))
  await chooseFiles(page, [textFile('broken.txt')])
  await page.getByRole('button', { name: 'Cancel all uploads' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel uploads' })
  await question.waitFor()
  letGo()
  await question.waitFor({ state: 'detached' })
  const letGoAgain = await holdCalls(page, '**/api/files/upload')
  const retry = page.getByRole('button', { name: 'Retry broken.txt' })
  await retry.click()
  await retry.waitFor({ state: 'detached' })
  expect(await question.count()).toBe(0)
  letGoAgain()
  await row(page, 'broken.txt').waitFor()
})
