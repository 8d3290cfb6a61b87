/** Files that a link's visitor sends over a line that breaks: they wait, and go on by themselves. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { resumableFrom } from '../../src/api/limits.ts'
import { type Fate, startBetween } from '../cli/between.ts'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { phone } from './browser.ts'
import { openSite, server } from './site.ts'
import { largeFile, slowDown, textFile } from './uploading.ts'
import { button } from './viewer.ts'
import { buildLinkPath, choose, overflowOf, visit } from './visitor.ts'

let anna: BuiltUser

openSite()

beforeAll(async () => {
  anna = await buildUser(server)
})

const broken = 'The connection broke. Please keep this page open: sending goes on by itself'

const namesIn = async ({ id }: { id: number }): Promise<string[]> =>
  (await anna.call(listFiles, { parent_id: id })).files.map(({ name }) => name)

/** Opens a new folder's link behind a proxy, which decides the fate of each request. */
async function visitThrough(fateOf: (name: string) => Fate) {
  const folder = await buildFolder(anna)
  const between = await startBetween(server.url, fateOf)
  const { page } = await visit(between.url + (await buildLinkPath(anna, folder, { level: 'upload' })))
  return { folder, page, between }
}

const isUpload = (request: string): boolean => request.endsWith('/upload')

test('files wait while the browser is offline, and go on when it is online again', async () => {
  const folder = await buildFolder(anna)
  const { page } = await visit(await buildLinkPath(anna, folder, { level: 'upload' }), phone)
  const names = ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt']
  await choose(
    page,
    names.map(name => textFile(name)),
  )
  await page.context().setOffline(true)
  await button(page, 'Send 5 files').tap()
  await page.getByText(broken).waitFor()
  await page.getByText('0 of 5').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(5)
  expect(await overflowOf(page)).toBe(0)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: '5 files have arrived. Thank you' }).waitFor()
  expect(await namesIn(folder)).toEqual(names)
})

test('files wait while the server is gone, and go on when it is back', async () => {
  let fate: Fate = 'forward'
  const { folder, page } = await visitThrough(() => fate)
  const names = ['1.bin', '2.bin', '3.bin', '4.bin', '5.bin']
  await choose(
    page,
    names.map(name => largeFile(name, 3_000_000)),
  )
  fate = 'break before'
  await button(page, 'Send 5 files').click()
  await page.getByText(broken).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(5)
  fate = 'forward'
  await page.getByRole('heading', { name: '5 files have arrived. Thank you' }).waitFor()
  expect(await namesIn(folder)).toEqual(names)
})

test('files wait while a proxy cannot reach the server', async () => {
  let fate: Fate = 'forward'
  const { folder, page } = await visitThrough(() => fate)
  await choose(page, [textFile('1.txt'), textFile('2.txt'), textFile('3.txt')])
  fate = 502
  await button(page, 'Send 3 files').click()
  await page.getByText(broken).waitFor()
  fate = 'forward'
  await page.getByRole('heading', { name: '3 files have arrived. Thank you' }).waitFor()
  expect(await namesIn(folder)).toEqual(['1.txt', '2.txt', '3.txt'])
})

test('a file whose answer is lost is sent again, and stored once', async () => {
  // Chromium repeats some requests by itself, so more than one is lost.
  let left = 3
  const { folder, page } = await visitThrough(name => {
    if (!isUpload(name)) return 'forward'
    left -= 1
    return left >= 0 ? 'break after' : 'forward'
  })
  await choose(page, [textFile('one.txt')])
  await button(page, 'Send 1 file').click()
  await page.getByRole('heading', { name: '1 file has arrived. Thank you' }).waitFor()
  expect(left).toBeLessThan(0)
  expect(await namesIn(folder)).toEqual(['one.txt'])
})

test('a file whose requests break without a lost answer is sent again and again', async () => {
  let left = 6
  const { folder, page } = await visitThrough(name => {
    if (!isUpload(name)) return 'forward'
    left -= 1
    return left >= 0 ? 'break before' : 'forward'
  })
  await choose(page, [largeFile('one.bin', 8_000_000)])
  await button(page, 'Send 1 file').click()
  await page.getByRole('heading', { name: '1 file has arrived. Thank you' }).waitFor()
  expect(await namesIn(folder)).toEqual(['one.bin'])
})

test('a file that breaks each connection does not hold up the others', async () => {
  const folder = await buildFolder(anna)
  const { page } = await visit(await buildLinkPath(anna, folder, { level: 'upload' }))
  await page.route('**/upload', route =>
    (route.request().postDataBuffer()?.includes('bad.txt') ?? false) ? route.abort() : route.continue(),
  )
  await choose(page, [textFile('bad.txt'), textFile('one.txt'), textFile('two.txt'), textFile('three.txt')])
  await button(page, 'Send 4 files').click()
  await page.getByText('3 of 4').waitFor()
  await page.getByText(broken).waitFor()
  expect(await namesIn(folder)).toEqual(['one.txt', 'three.txt', 'two.txt'])
})

test('files can be removed while they wait, and others sent then', async () => {
  const folder = await buildFolder(anna)
  const { page } = await visit(await buildLinkPath(anna, folder, { level: 'upload' }))
  await choose(page, [textFile('one.txt'), textFile('two.txt')])
  await page.context().setOffline(true)
  await button(page, 'Send 2 files').click()
  await page.getByText(broken).waitFor()
  await button(page, 'Remove one.txt').click()
  await button(page, 'Remove two.txt').click()
  await button(page, 'Choose files').waitFor()
  await page.context().setOffline(false)
  await choose(page, [textFile('three.txt')])
  await button(page, 'Send 1 file').click()
  await page.getByRole('heading', { name: '1 file has arrived. Thank you' }).waitFor()
  expect(await namesIn(folder)).toEqual(['three.txt'])
})

/** What the server has of unfinished files. */
const uploadsTo = ({ id }: { id: number }) =>
  server.deps.db.rows('SELECT x.id FROM uploads x JOIN links l ON l.id = x.link_id WHERE l.item_id = $1', [id])

const isPiece = (request: string): boolean => request.startsWith('PATCH ')
const large = resumableFrom + 1_000_000

test('a large file goes on after its line broke, and after the browser was offline', async () => {
  const fates: Fate[] = [{ breakAt: 3_000_000 }, { breakAt: 2_000_000 }]
  const { folder, page, between } = await visitThrough(name =>
    isPiece(name) ? (fates.shift() ?? 'forward') : 'forward',
  )
  const path = largeFile('film.mp4', large)
  await slowDown(page, 4_000_000)
  await choose(page, [path])
  await button(page, 'Send 1 file').click()
  await expect.poll(() => fates.length).toBe(0)
  await between.whenReceived(6_000_000)
  await page.context().setOffline(true)
  await page.getByText(broken).waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: '1 file has arrived. Thank you' }).waitFor()
  expect(await namesIn(folder)).toEqual(['film.mp4'])
  const [file] = (await anna.call(listFiles, { parent_id: folder.id })).files
  const stored = await anna.raw(`/api/files/${file?.id}/download`)
  expect(Buffer.from(await stored.arrayBuffer()).equals(readFileSync(path))).toBe(true)
  expect(between.received()).toBeLessThan(large + 6_000_000)
})

test('a large file that is removed while it waits leaves nothing behind', async () => {
  const { folder, page } = await visitThrough(name => (isPiece(name) ? 'break before' : 'forward'))
  await choose(page, [largeFile('film.mp4', large)])
  await button(page, 'Send 1 file').click()
  await page.getByText(broken).waitFor()
  expect(await uploadsTo(folder)).toHaveLength(1)
  await button(page, 'Remove film.mp4').click()
  await expect.poll(() => uploadsTo(folder)).toEqual([])
})

test('a page that is left drops what it was sending', async () => {
  const { folder, page, between } = await visitThrough(() => 'forward')
  await slowDown(page, 2_000_000)
  await choose(page, [largeFile('film.mp4', large)])
  await button(page, 'Send 1 file').click()
  await between.whenReceived(1_000_000)
  await page.goto('about:blank')
  await expect.poll(() => uploadsTo(folder)).toEqual([])
})
