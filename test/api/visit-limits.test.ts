/** What limits the visitors of a link: a password, a number of downloads, an end. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { linkVisitLifetime } from '../../src/api/limits.ts'
import { updateLink } from '../../src/api/links.ts'
import type { LinkInfo } from '../../src/api/visits.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor, type Visitor } from '../support/visitor.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const visit = async (item: { id: number }, options: Parameters<typeof buildLink>[2] = {}): Promise<Visitor> =>
  openVisitor(server.url, (await buildLink(user, item, options)).token)

async function failed(response: Response) {
  const { error, message, fields } = await response.json()
  return { status: response.status, error, message, ...(fields === undefined ? {} : { fields: Object.keys(fields) }) }
}

describe('a password', () => {
  test('is needed before anything but the question for it', async () => {
    const file = await buildFile(user)
    const visitor = await visit(file, { password: 'open sesame' })
    expect(await visitor.get('')).toEqual({ locked: true })
    expect(await failed(await visitor.raw('/download'))).toMatchObject({ status: 401, error: 'password_required' })
    expect(await failed(await visitor.post('/unlock', { password: 'wrong one' }))).toEqual({
      status: 401,
      error: 'password_required',
      message: 'Wrong password',
    })
    const unlocked = await visitor.post('/unlock', { password: 'open sesame' })
    expect([unlocked.status, (await unlocked.json()).data]).toMatchObject([200, { locked: false, name: file.name }])
    expect(unlocked.headers.getSetCookie().join()).toMatch(
      /filestore_link=[\w-]{43}; path=\/api\/s\/[\w-]{22}; .*samesite=lax; httponly/i,
    )
    expect((await visitor.raw('/download')).status).toBe(200)
  })

  test('holds for a day', async () => {
    const { id, token } = await buildLink(user, await buildFile(user), { password: 'open sesame' })
    const visitor = openVisitor(server.url, token)
    const { db } = server.deps
    await visitor.post('/unlock', { password: 'open sesame' })
    const [visit] = await db.rows<{ expires_at: number }>('SELECT expires_at FROM link_visits WHERE link_id = $1', [id])
    expect(Math.abs((visit?.expires_at ?? 0) - Date.now() - linkVisitLifetime)).toBeLessThan(60_000)
    expect((await visitor.raw('/download')).status).toBe(200)
    await db.touch(() => db.change('UPDATE link_visits SET expires_at = $1 WHERE link_id = $2', [Date.now(), id]))
    expect((await visitor.raw('/download')).status).toBe(401)
  })

  test('that is new, and a pause, end the visits by the old one', async () => {
    const file = await buildFile(user)
    const { id, token } = await buildLink(user, file, { password: 'the first one' })
    const visitor = openVisitor(server.url, token)
    const enter = async (password: string) => (await visitor.post('/unlock', { password })).status
    expect(await enter('the first one')).toBe(200)
    await user.call(updateLink, { id, password: 'the second one' })
    expect(await visitor.get('')).toEqual({ locked: true })
    expect((await visitor.raw('/download')).status).toBe(401)
    expect([await enter('the first one'), await enter('the second one')]).toEqual([401, 200])
    await user.call(updateLink, { id, is_active: false })
    await user.call(updateLink, { id, is_active: true })
    expect((await visitor.raw('/download')).status).toBe(401)
    await user.call(updateLink, { id, password: null })
    expect((await visitor.raw('/download')).status).toBe(200)
  })
})

test('an unlocking that a new password overtakes is refused', async context => {
  onlyOneServer('process', context)
  const { id, token } = await buildLink(user, await buildFile(user), { password: 'the first one' })
  const visitor = openVisitor(server.url, token)
  const { passwords } = server.deps
  const { verify } = passwords
  onTestFinished(() => void Object.assign(passwords, { verify }))
  const verifyLate: typeof verify = async (...given) => {
    const isRight = await verify(...given)
    await user.call(updateLink, { id, password: 'the second one' })
    return isRight
  }
  Object.assign(passwords, { verify: verifyLate })
  expect((await visitor.post('/unlock', { password: 'the first one' })).status).toBe(401)
  expect((await visitor.raw('/download')).status).toBe(401)
})

describe('limited downloads', () => {
  test('count once for each browser and file, whatever it asks for again', async () => {
    const folder = await buildFolder(user)
    const files = [await buildFile(user, { parent_id: folder.id }), await buildFile(user, { parent_id: folder.id })]
    const { token } = await buildLink(user, folder, { max_downloads: 2 })
    const [first, second] = [openVisitor(server.url, token), openVisitor(server.url, token)]
    const left = async () => ((await openVisitor(server.url, token).get('')) as LinkInfo).downloads_left
    expect(await left()).toBe(2)
    const get = async (visitor: Visitor, index: number, headers = {}) =>
      (await visitor.raw(`/files/${files[index]?.id}/download`, { headers })).status
    expect((await first.raw(`/files/${files[0]?.id}/download`, { method: 'HEAD' })).status).toBe(200)
    expect(await left()).toBe(2)
    expect([await get(first, 0), await get(first, 0), await get(first, 0, { range: 'bytes=0-1' })]).toEqual([
      200, 200, 206,
    ])
    expect(await left()).toBe(1)
    expect([await get(second, 1), await get(second, 1)]).toEqual([200, 200])
    expect(await get(first, 1)).toBe(404)
    // Who has begun may go on; all else says that the link is used up.
    expect([await get(first, 0), await get(second, 1)]).toEqual([200, 200])
    expect(await failed(await openVisitor(server.url, token).raw(''))).toEqual({
      status: 404,
      error: 'not_found',
      message: 'This link has been used up',
    })
  })

  test('give the content that was counted, and not the one that replaces it', async () => {
    const file = await buildFile(user, { name: 'offer.txt' }, 'the first offer')
    const visitor = await visit(file, { max_downloads: 1 })
    const get = async () => {
      const answer = await visitor.raw('/download')
      return answer.status === 200 ? answer.text() : answer.status
    }
    expect([await get(), await get()]).toEqual(['the first offer', 'the first offer'])
    await buildFile(user, { name: 'offer.txt', on_conflict: 'replace' }, 'the second offer')
    expect(await get()).toBe(404)
    await buildFile(user, { name: 'offer.txt', on_conflict: 'replace' }, 'the first offer')
    expect(await get()).toBe('the first offer')
  })

  test('of one are given to one of fifty who ask at once', async () => {
    const file = await buildFile(user)
    const { token } = await buildLink(user, file, { max_downloads: 1 })
    const asked = Array.from({ length: 50 }, () => openVisitor(server.url, token).raw('/download'))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(statuses.filter(status => status === 404)).toHaveLength(49)
  })

  test('leave out previews and thumbnails, which would not count', async () => {
    const file = await buildFile(user)
    const visitor = await visit(file, { max_downloads: 5 })
    expect((await visitor.raw(`/files/${file.id}/preview`)).status).toBe(404)
    expect((await visitor.raw(`/files/${file.id}/thumbnail`)).status).toBe(404)
  })
})

test('an expired link says so, and works again when it is extended', async () => {
  const file = await buildFile(user)
  const { id, token } = await buildLink(user, file, { expires_at: '2100-01-01T00:00:00Z' })
  const { db } = server.deps
  await db.touch(() => db.change('UPDATE links SET expires_at = 1 WHERE id = $1', [id]))
  expect(await failed(await openVisitor(server.url, token).raw(''))).toMatchObject({
    status: 404,
    message: 'This link has expired',
  })
  await user.call(updateLink, { id, expires_at: '2100-01-01T00:00:00Z' })
  expect((await openVisitor(server.url, token).raw('')).status).toBe(200)
})
