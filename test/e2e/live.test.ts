/** What others change comes onto the screen without a reload, and takes nothing out of the user's hands. */
import { expect, onTestFinished, test } from 'vitest'
import { renameFile } from '../../src/api/files.ts'
import { signIn } from '../support/client.ts'
import { buildFile, buildFolder, buildReviewer, buildShare, buildUser, turnSettings } from '../support/factories.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'
import { enter, holdRequests, listedNames, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** The part of the page that follows changes; it is loaded last. */
const followers = '**/live-*.js'
const streaming = (url: string) => new URL(url).pathname === '/api/events/stream'

test('a change by another session is shown without a reload, and the selection stays', async () => {
  const user = await buildUser(server)
  const file = await buildFile(user, { name: 'a.txt' })
  await buildFile(user, { name: 'kept.txt' })
  const elsewhere = await signIn(server.url, user.username, user.password)
  const { page } = await browser.open()
  const following = page.waitForResponse(answer => streaming(answer.url()))
  await enter(page, user)
  await row(page, 'kept.txt').click({ modifiers: ['Control'] })
  await expect.poll(() => row(page, 'kept.txt').getAttribute('aria-selected')).toBe('true')
  await following
  await elsewhere.call(renameFile, { id: file.id, name: 'b.txt' })
  await buildFile(elsewhere, { name: 'new.txt' })
  await expect.poll(() => listedNames(page)).toEqual(['b.txt', 'kept.txt', 'new.txt'])
  expect(await row(page, 'kept.txt').getAttribute('aria-selected')).toBe('true')
})

test('what changes while a tab is opened is shown in it, whether the tab gets the stream or another has it', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'a.txt' })
  const { page } = await browser.open()
  const release = await holdRequests(page, followers)
  const following = page.waitForResponse(answer => streaming(answer.url()))
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  await buildFile(user, { name: 'b.txt' })
  release()
  await following
  await expect.poll(() => listedNames(page)).toEqual(['a.txt', 'b.txt'])
  const second = await page.context().newPage()
  const releaseSecond = await holdRequests(second, followers)
  await second.goto(page.url())
  await row(second, 'b.txt').waitFor()
  await buildFile(user, { name: 'c.txt' })
  await expect.poll(() => listedNames(page)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(await listedNames(second)).toEqual(['a.txt', 'b.txt'])
  releaseSecond()
  await expect.poll(() => listedNames(second)).toEqual(['a.txt', 'b.txt', 'c.txt'])
})

test('eight tabs work, and seven of them hear of a change by the stream of the first', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'a.txt' })
  const { page } = await browser.open()
  const following = page.waitForResponse(answer => streaming(answer.url()))
  await enter(page, user)
  await following
  const streams: string[] = []
  const openTab = async () => {
    const tab = await page.context().newPage()
    tab.on('request', request => streaming(request.url()) && streams.push(request.url()))
    await tab.goto(page.url())
    await row(tab, 'a.txt').waitFor()
    await tab.waitForLoadState('networkidle')
    return tab
  }
  // A browser has six lines to a server by HTTP/1.1: a stream of each tab would take them all.
  const tabs = await Promise.all(Array.from({ length: 7 }, openTab))
  await buildFile(await signIn(server.url, user.username, user.password), { name: 'b.txt' })
  for (const tab of tabs) await expect.poll(() => listedNames(tab)).toEqual(['a.txt', 'b.txt'])
  expect(streams).toEqual([])
})

test('a file that comes into a shared folder is shown to who looks at it', async () => {
  const [owner, user] = [await buildUser(server), await buildUser(server)]
  const folder = await buildFolder(owner, 'Shared')
  await buildFile(owner, { name: 'a.txt', parent_id: folder.id })
  await buildShare(owner, folder, user, 'view')
  const { page } = await browser.open()
  const following = page.waitForResponse(answer => streaming(answer.url()))
  await enter(page, user, `/files/${folder.id}`)
  await row(page, 'a.txt').waitFor()
  await following
  await buildFile(owner, { name: 'b.txt', parent_id: folder.id })
  await expect.poll(() => listedNames(page)).toEqual(['a.txt', 'b.txt'])
})

test('a file that waits for approval comes into the queue on screen, with whose folder it is in', async () => {
  const admin = await buildUser(server, { role: 'admin' })
  const [owner, sender, reviewer] = [
    await buildUser(server, { username: 'mona' }),
    await buildUser(server, { username: 'dora' }),
    await buildReviewer(server),
  ]
  await turnSettings(admin, { validation_enabled: true })
  onTestFinished(() => turnSettings(admin, { validation_enabled: false }))
  const box = await buildFolder(owner, 'Essays')
  await buildShare(owner, box, sender, 'upload')
  const { token } = await buildLink(owner, box, { level: 'upload', label: 'Class 3' })
  const { page } = await browser.open()
  const following = page.waitForResponse(answer => streaming(answer.url()))
  await enter(page, reviewer, '/validation')
  await page.getByText('No pending files').waitFor()
  await following
  await buildFile(sender, { name: 'essay.txt', parent_id: box.id })
  await page.getByText(/ · dora · Today.* · \/Essays in mona’s files$/).waitFor()
  await page.getByRole('link', { name: 'Validation 1 pending' }).waitFor()
  expect((await openVisitor(server.url, token).upload('x', { name: 'sent.txt' })).status).toBe(201)
  await page.getByText(/ · by the link “Class 3” of mona · Today.* · \/Essays$/).waitFor()
})
