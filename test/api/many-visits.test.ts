/** However many visits a link has, no write ends or deletes many of them at once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { linkVisitLifetime, maxLinkVisits } from '../../src/api/limits.ts'
import { deleteLink, type Link, listLinks, updateLink } from '../../src/api/links.ts'
import { deleteSpace } from '../../src/api/spaces.ts'
import { deleteFile, emptyTrash, trashFile } from '../../src/api/trash.ts'
import type { LinkInfo } from '../../src/api/visits.ts'
import { openCheck } from '../../src/commands/fsck/finding.ts'
import { checkLinks } from '../../src/commands/fsck/links.ts'
import { deleteEndedVisits } from '../../src/links/visits.ts'
import { runOn } from '../commands/administration.ts'
import { type BuiltUser, buildFile, buildFolder, buildTeam, buildUser } from '../support/factories.ts'
import { failAfterWrites } from '../support/failing-writes.ts'
import { measureLargestWrite } from '../support/largest-write.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

/** Visits that one write may delete. */
const most = 100

let planted = 0
/** Adds visits of a link; their time is over at `expiresAt` (ms). */
async function plantVisits({ id }: Pick<Link, 'id'>, count: number, expiresAt = Date.now() + linkVisitLifetime - 1000) {
  const { db } = server.deps
  const visits = Array.from({ length: count }, () => {
    planted += 1
    return { hash: `${planted}`.padStart(64, '0'), item_id: 0, link_id: id, round: null, expires_at: expiresAt }
  })
  await db.touch(() => db.insertAll(db.linkVisits, visits))
}

const visitsOf = ({ id }: Pick<Link, 'id'>) => ({
  sql: 'SELECT COUNT(*) AS count FROM link_visits WHERE link_id = $1',
  bind: [id],
})

async function countVisits(link: Pick<Link, 'id'>): Promise<number | undefined> {
  const { sql, bind } = visitsOf(link)
  return (await server.deps.db.row<{ count: number }>(sql, bind))?.count
}

describe('where a link has hundreds of visits', () => {
  beforeEach(context => onlyOneServer('process', context))

  test.each([
    ['a pause', { is_active: false }, 'the only one'],
    ['a new password', { password: 'the second one' }, 'the second one'],
  ])('%s ends and deletes all of them in short writes', async (_what, change, password) => {
    const { id, token } = await buildLink(user, await buildFile(user), { password: 'the only one' })
    await plantVisits({ id }, 450)
    const visitor = openVisitor(server.url, token)
    const enter = async (given: string) => (await visitor.post('/unlock', { password: given })).status
    expect(await enter('the only one')).toBe(200)
    expect((await visitor.raw('/download')).status).toBe(200)
    const end = () => user.call(updateLink, { id, ...change })
    expect(await measureLargestWrite(server.deps.db, visitsOf({ id }), end)).toBeLessThanOrEqual(most)
    // A server before rounds, beside this one in an upgrade, would take each row for a visit.
    expect(await countVisits({ id })).toBe(0)
    await user.call(updateLink, { id, is_active: true })
    expect((await visitor.raw('/download')).status).toBe(401)
    expect(await visitor.get('')).toEqual({ locked: true })
    expect(await enter(password)).toBe(200)
    expect((await visitor.raw('/download')).status).toBe(200)
  })

  test('a pause ends the tickets of counted downloads, too', async () => {
    const { id, token } = await buildLink(user, await buildFile(user), { max_downloads: 1 })
    await plantVisits({ id }, 450)
    const visitor = openVisitor(server.url, token)
    const download = async () => (await visitor.raw('/download')).status
    expect([await download(), await download()]).toEqual([200, 200])
    await user.call(updateLink, { id, is_active: false })
    await user.call(updateLink, { id, is_active: true })
    expect(await download()).toBe(404)
  })

  test('the link, its item, the trash and a team folder are deleted after slices of them', async () => {
    const { db } = server.deps
    const admin = await buildUser(server, { role: 'admin' })
    const team = await buildTeam(admin, admin)
    const file = await buildFile(user)
    const other = await buildFile(user)
    const deletions: [Link, () => Promise<unknown>][] = [
      await buildLink(user, await buildFile(user)).then(link => [link, () => user.call(deleteLink, { id: link.id })]),
      [await buildLink(user, file), () => user.call(deleteFile, { id: file.id })],
      [await buildLink(user, other), () => user.call(emptyTrash, {})],
    ]
    const teamLink = await buildLink(admin, await buildFolder(admin, 'shown', team.folder_id))
    deletions.push([teamLink, () => admin.call(deleteSpace, { id: team.id, files: 'delete' })])
    for (const [link] of deletions) await plantVisits(link, 450)
    for (const { id } of [file, other]) await user.call(trashFile, { id })
    for (const [link, run] of deletions) {
      expect(await measureLargestWrite(db, visitsOf(link), run)).toBeLessThanOrEqual(most)
      expect(await countVisits(link)).toBe(0)
      expect(await db.rows('SELECT id FROM links WHERE id = $1', [link.id])).toEqual([])
    }
  })

  test('an administrator’s pause deletes all of them, too', async () => {
    const link = await buildLink(user, await buildFile(user))
    await plantVisits(link, 450)
    expect(await runOn(server, ['admin', 'link', 'pause', `${link.id}`])).toMatchObject({ code: 0 })
    expect(await countVisits(link)).toBe(0)
  })

  test('a deletion that is broken off leaves the link paused, and repeating it deletes the link', async () => {
    const link = await buildLink(user, await buildFile(user))
    await plantVisits(link, 450)
    const download = async () => (await openVisitor(server.url, link.token).raw('/download')).status
    const end = () => user.raw(`/api/links/${link.id}`, { method: 'DELETE' })
    expect((await failAfterWrites(server, 2, end)).status).toBe(500)
    expect(await download()).toBe(404)
    expect((await user.call(listLinks, { item_id: link.item_id })).links).toMatchObject([{ reason: 'paused' }])
    expect((await end()).status).toBe(200)
  })

  test('a deletion of a team folder that is broken off has ended all access to it', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    const team = await buildTeam(admin, admin)
    const folder = await buildFolder(admin, 'shown', team.folder_id)
    const { id, token } = await buildLink(admin, folder)
    await plantVisits({ id }, 450)
    const visit = async () => (await openVisitor(server.url, token).raw('')).status
    expect(await visit()).toBe(200)
    const end = () => admin.raw(`/api/spaces/${team.id}?files=delete`, { method: 'DELETE' })
    expect((await failAfterWrites(server, 1, end)).status).toBe(500)
    expect(await visit()).toBe(404)
    expect((await admin.raw(`/api/files?parent_id=${folder.id}`)).status).toBe(404)
    expect((await end()).status).toBe(200)
    expect(await countVisits({ id })).toBe(0)
  })

  test('a damaged link is deleted by fsck after slices of them', async () => {
    const { deps } = server
    const admin = await buildUser(server, { role: 'admin' })
    const { id: space, folder_id } = await buildTeam(admin, admin)
    const link = await buildLink(admin, await buildFolder(admin, 'shown', folder_id))
    await plantVisits(link, 450)
    await deps.db.touch(() => deps.db.update(deps.db.links, { item_id: folder_id, space_id: space }, link.id))
    const listener = { onFinding() {}, onHashing() {}, onHashed() {}, onHashingEnd() {} }
    const options = { repair: true, hash: false, orphans: false, acceptLost: false, restart: false, rate: null }
    const { check } = openCheck(deps, options, new AbortController().signal, listener)
    expect(await measureLargestWrite(deps.db, visitsOf(link), () => checkLinks(check))).toBeLessThanOrEqual(most)
    expect(await deps.db.rows('SELECT id FROM links WHERE id = $1', [link.id])).toEqual([])
  })

  test('those whose time is over are deleted by the server’s job in slices, and the others stay', async () => {
    const link = await buildLink(user, await buildFile(user), { max_downloads: 10 })
    await plantVisits(link, 450, Date.now())
    await plantVisits(link, 3)
    const { db } = server.deps
    const run = () => deleteEndedVisits(db, new AbortController().signal)
    expect(await measureLargestWrite(db, visitsOf(link), run)).toBeLessThanOrEqual(most)
    expect(await countVisits(link)).toBe(3)
  })
})

test('a link remembers a limited number of visits, and forgets the oldest for a new one', async () => {
  const file = await buildFile(user)
  const { id, token } = await buildLink(user, file, { max_downloads: 1_000_000 })
  const [first, second] = [openVisitor(server.url, token), openVisitor(server.url, token)]
  const left = async () => ((await openVisitor(server.url, token).get('')) as LinkInfo).downloads_left
  await first.raw('/download')
  await first.raw('/download')
  expect(await left()).toBe(999_999)
  await plantVisits({ id }, maxLinkVisits, Date.now() + 2 * linkVisitLifetime)
  await second.raw('/download')
  expect(await countVisits({ id })).toBeLessThanOrEqual(maxLinkVisits)
  await first.raw('/download')
  expect(await left()).toBe(999_997)
})
