/** What is counted for a link belongs to all its visitors: nobody alone uses up its passwords, files and uploads. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { maxLinkFilesPerDay, maxLinkUploads, maxVisitorUploads } from '../../src/api/limits.ts'
import { updateLink } from '../../src/api/links.ts'
import { failure } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { openBrowser, openSender, type Sender } from '../support/link-uploads.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { discard, head, idOf, patch } from '../support/tus.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
  user = await buildUser(server)
})
afterAll(() => server.close())

/** The network number `index` of those that a home line has. */
const ofLine = (index: number): string => `2001:db8:0:${index.toString(16)}::1`
let lines = 0
const nextOfLine = (): string => {
  lines += 1
  return ofLine(lines)
}
const ofStranger = (index: number): string => `198.51.${Math.floor(index / 250)}.${(index % 250) + 1}`

describe('wrong passwords', () => {
  const right = 'open sesame'
  const open = async () => buildLink(user, await buildFile(user), { password: right })
  const unlock = async (token: string, address: string, password = right, visitor = openVisitor(server.url, token)) =>
    (await visitor.post('/unlock', { password }, { 'x-forwarded-for': address })).status

  /** Counts wrong passwords of a link, of each address up to ten and its first refusal. Returns how many counted. */
  async function guess(id: number, addresses: readonly string[]): Promise<number> {
    let counted = 0
    for (const address of addresses) {
      try {
        for (let tries = 0; tries < 10; tries++) {
          await server.deps.linkLimits.tryPassword(id, address, false)
          counted += 1
        }
      } catch (error) {
        expect(error).toMatchObject({ code: 'rate_limited' })
      }
    }
    return counted
  }
  const lineOf = (count: number) => Array.from({ length: count }, (_, index) => ofLine(index))
  const strangers = (count: number) => Array.from({ length: count }, (_, index) => ofStranger(index))

  test('of all networks of a line keep nobody else out, who has three tries', async () => {
    const { id, token } = await open()
    await guess(id, lineOf(256))
    expect(await unlock(token, ofLine(300))).toBe(429)
    expect([await unlock(token, '203.0.113.1', 'wrong one'), await unlock(token, '203.0.113.1')]).toEqual([401, 200])
    for (let tries = 0; tries < 3; tries++) expect(await unlock(token, '203.0.113.2', `no ${tries}`)).toBe(401)
    expect(await unlock(token, '203.0.113.2')).toBe(429)
  })

  test('are a thousand a day at most, and keep out nobody whose browser had the right one', async () => {
    const { id, token } = await open()
    const known = openVisitor(server.url, token)
    expect(await unlock(token, '203.0.113.3', right, known)).toBe(200)
    expect(await guess(id, strangers(400))).toBe(1000)
    expect(await unlock(token, '203.0.113.4')).toBe(429)
    expect(await unlock(token, '203.0.113.5', right, known)).toBe(200)
    for (let tries = 0; tries < 10; tries++) expect(await unlock(token, '203.0.113.6', `no ${tries}`, known)).toBe(401)
    expect(await unlock(token, '203.0.113.6', right, known)).toBe(429)
    // The cookies of another link, or of an earlier password, count for nothing.
    const unlocked = await openVisitor(server.url, (await open()).token).post('/unlock', { password: right })
    const cookies = unlocked.headers.getSetCookie().map(line => line.split(';')[0])
    expect(await unlock(token, '203.0.113.7', right, openVisitor(server.url, token, cookies.join('; ')))).toBe(429)
    await user.call(updateLink, { id, password: 'another one' })
    expect(await unlock(token, '203.0.113.8', 'another one', known)).toBe(429)
  })
})

describe('files of a day', () => {
  const count = (id: number, address: string, times: number) =>
    Array.from({ length: times }).reduce<Promise<unknown>>(
      async before => before.then(() => server.deps.linkLimits.countFile(id, address)),
      Promise.resolve(),
    )
  const send = async ({ link }: Sender, address: string) =>
    (await openVisitor(server.url, link.token).upload('x', {}, { 'x-forwarded-for': address })).status

  test('are not used up by the networks of one line, which send at most as many as they leave to others', async () => {
    const sender = await openSender(server, user, await buildFolder(user))
    // As an upload's row has the network.
    await count(sender.link.id, '2001:db8:0:1', maxLinkFilesPerDay).catch(() => undefined)
    expect([await send(sender, ofLine(2)), await send(sender, '203.0.113.1')]).toEqual([429, 201])
    await count(sender.link.id, '203.0.113.1', maxLinkFilesPerDay).catch(() => undefined)
    expect([await send(sender, '203.0.113.1'), await send(sender, '203.0.113.2')]).toEqual([429, 201])
  })

  test('are given back when nothing of them was stored', async () => {
    const sender = await openSender(server, user, await buildFolder(user))
    await count(sender.link.id, '198.51.100.1', maxLinkFilesPerDay / 2 - 2)
    const visitor = openBrowser(server, sender.link, { address: '198.51.100.1' })
    for (let tries = 0; tries < 4; tries++) {
      const begun = await visitor.begin({ length: 1 })
      expect((await discard(visitor.client, begun)).status).toBe(204)
      const form = { metadata: [{ field_id: 1, value: 'of no field' }] }
      const refused = openVisitor(server.url, sender.link.token).upload('x', form, {
        'x-forwarded-for': '198.51.100.1',
      })
      expect((await refused).status).toBe(400)
    }
    expect([await send(sender, '198.51.100.1'), await send(sender, '198.51.100.1')]).toEqual([201, 201])
    expect(await send(sender, '198.51.100.1')).toBe(429)
  })

  test('count where bytes of them were stored, also of an upload that is discarded', async () => {
    const sender = await openSender(server, user, await buildFolder(user))
    await count(sender.link.id, '198.51.100.1', maxLinkFilesPerDay / 2 - 1)
    const visitor = openBrowser(server, sender.link, { address: '198.51.100.1' })
    const begun = await visitor.begin({ length: 100, body: randomBytes(50) })
    expect((await discard(visitor.client, begun)).status).toBe(204)
    expect(await failure(await visitor.ask({ length: 1 }))).toMatchObject({ status: 429 })
  })
})

describe('unfinished uploads', () => {
  afterEach(async () => expect(await findMiscounts(server.deps.db)).toEqual([]))

  /** Fills a link from ten networks, with some bytes of each upload. */
  async function fill({ link }: Sender, body?: Buffer): Promise<string[]> {
    const browsers = Array.from({ length: maxLinkUploads / maxVisitorUploads }, () =>
      openBrowser(server, link, { address: nextOfLine() }),
    )
    const begun: string[] = []
    for (let round = 0; round < maxVisitorUploads; round++) {
      begun.push(...(await Promise.all(browsers.map(browser => browser.begin({ length: 100, body })))))
    }
    return begun
  }
  const findLeft = async (linkId: number) =>
    (await server.deps.db.rows<{ id: string }>('SELECT id FROM uploads WHERE link_id = $1', [linkId])).map(
      ({ id }) => id,
    )

  test.each([
    ['without bytes', undefined],
    ['with few bytes', Buffer.from('x')],
  ])('%s give way to a newcomer, and give back what they hold', async (_what, body) => {
    const sender = await openSender(server, user, await buildFolder(user), { max_bytes: 1_000_000 })
    const begun = await fill(sender, body)
    const newcomer = await sender.begin({ length: 10 })
    const left = await findLeft(sender.link.id)
    expect(left).toHaveLength(maxLinkUploads)
    expect(left).toContain(idOf(newcomer))
    expect(begun.filter(address => !left.includes(idOf(address)))).toHaveLength(1)
    expect((await patch(sender.client, newcomer, 0, randomBytes(10))).status).toBe(204)
  })

  test('of who holds most are kept from more, and those of others stay', async () => {
    const sender = await openSender(server, user, await buildFolder(user))
    const browser = openBrowser(server, sender.link, { address: '203.0.113.1' })
    const own = await browser.begin({ length: 100 })
    const crowd = Array.from({ length: 9 }, () => openBrowser(server, sender.link, { address: nextOfLine() }))
    for (let round = 0; round < maxVisitorUploads; round++) {
      await Promise.all(crowd.map(one => one.begin({ length: 100 })))
    }
    const one = openBrowser(server, sender.link, { address: nextOfLine() })
    for (let n = 1; n < maxVisitorUploads; n++) await one.begin({ length: 100 })
    expect(await failure(await one.ask({ length: 1 }))).toMatchObject({ status: 409, error: 'in_use' })
    expect((await sender.ask({ length: 100 })).status).toBe(201)
    expect((await head(browser.client, own)).status).toBe(200)
  })
})
