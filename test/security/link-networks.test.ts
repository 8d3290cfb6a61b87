/** The places of a link are shared by its visitors' networks: whoever holds the most gives way to who comes later. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxLinkRequests, maxStreams, maxVisitorRequests } from '../../src/api/limits.ts'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { openForTest, requestHead, sendUnread } from '../support/wire.ts'

/** ms; a visitor who is shut out waits for much longer. */
const soon = 25_000

let server: TestServer
let user: BuiltUser
let folder: { id: number }
let inner: { id: number }
let big: { id: number }
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
  user = await buildUser(server)
  folder = await buildFolder(user)
  big = await buildFile(user, { parent_id: folder.id }, randomBytes(20 * 1024 ** 2))
  inner = await buildFolder(user, 'inner', folder.id)
  await buildFile(user, { parent_id: inner.id }, 'small')
})
afterAll(() => server.close())

let path: string
beforeEach(async () => {
  path = `/api/s/${(await buildLink(user, folder, { level: 'both' })).token}`
})

/** Asks for something of the link and stops reading at the start of the answer. */
const leaveUnread = (what: string, address: string, times = 1): Promise<Socket> => {
  const head = requestHead(server.url, 'GET', `${path}${what}`, { 'x-forwarded-for': address })
  return sendUnread(server.url, head.repeat(times))
}

/** The status of an answer that another network reads at once. */
async function visit(what: string, address = '203.0.113.9'): Promise<number> {
  const answer = await fetch(`${server.url}${path}${what}`, {
    headers: { 'x-forwarded-for': address },
    signal: AbortSignal.timeout(soon),
  })
  await answer.arrayBuffer()
  return answer.status
}

async function countUnderWay(): Promise<number> {
  const underWay = await server.deps.metrics.getSingleMetric('filestore_http_requests_under_way')?.get()
  return underWay?.values[0]?.value ?? expect.fail()
}

const areOpen = (sockets: readonly Socket[]): boolean[] => sockets.map(({ closed }) => !closed)

describe('ZIP files that a visitor leaves unread', () => {
  test('keep no other network from one: the visitor loses one of them, and another network’s goes on', async () => {
    const others = await leaveUnread('/download', '198.51.100.2')
    const own: Socket[] = []
    for (let count = 1; count < maxStreams; count++) own.push(await leaveUnread('/download', '198.51.100.1'))
    expect(await visit(`/files/${inner.id}/archive`)).toBe(200)
    for (const socket of [others, ...own]) socket.resume()
    await expect.poll(() => areOpen(own).filter(isOpen => !isOpen)).toHaveLength(1)
    expect(areOpen([others])).toEqual([true])
  })

  test('wait for each other where all networks have as many', async () => {
    const own: Socket[] = []
    for (let count = 0; count < maxStreams; count++) own.push(await leaveUnread('/download', `198.51.100.${count}`))
    const waiting = visit(`/files/${inner.id}/archive`)
    // A turn that nobody gave up would have come to those of the other networks too.
    expect(await Promise.all(['/files', '', `/files/${inner.id}`].map(what => visit(what)))).toEqual([200, 200, 200])
    expect(areOpen(own)).toEqual([true, true, true])
    own[0]?.destroy()
    expect(await waiting).toBe(200)
  })
})

test('downloads that two visitors leave unread keep no other network from the link', async () => {
  for (let count = 0; count < maxLinkRequests; count += 2) {
    const what = `/files/${big.id}/download`
    await Promise.all([leaveUnread(what, '198.51.100.1'), leaveUnread(what, '198.51.100.2')])
  }
  expect(await visit('')).toBe(200)
  expect(await visit(`/files/${inner.id}`)).toBe(200)
})

test('requests that wait are taken by networks in turns', async () => {
  const held: Socket[] = []
  const small = `/files/${inner.id}/archive`
  for (let count = 0; count < maxStreams; count++) held.push(await leaveUnread('/download', `198.51.100.${count}`))
  const order: string[] = []
  const ask = async (who: string, address: string) => {
    expect(await visit(small, address)).toBe(200)
    order.push(who)
  }
  const crowd = Array.from({ length: 10 }, () => ask('crowd', '198.51.100.1'))
  await visit('')
  const single = ask('single', '203.0.113.9')
  await visit('')
  held[0]?.destroy()
  await Promise.all([...crowd, single])
  expect(order[0]).toBe('single')
})

test('long lists that a visitor leaves unread keep no other network from the link', async () => {
  const id = await plant(server, user, async (db, owner) => {
    const long = await plantFolder(db, owner, null, 'long names')
    await plantEntries(db, owner, long, 8400, index => `${'n'.repeat(200)}${index}`)
    return long
  })
  path = `/api/s/${(await buildLink(user, { id })).token}`
  // The sockets may take the first answer of each connection whole.
  for (let count = 0; count < 4; count++) await leaveUnread('/files', '198.51.100.1', 2)
  expect([await visit(''), await visit('/files?limit=5')]).toEqual([200, 200])
})

test('downloads that as many networks of one site leave unread as a link has places give way to another site', async () => {
  const held: Socket[] = []
  for (let count = 0; count < maxLinkRequests; count++) {
    held.push(await leaveUnread(`/files/${big.id}/download`, `2001:db8:0:${count.toString(16)}::1`))
  }
  expect(await visit('', '2001:db8:1::1')).toBe(200)
  for (const socket of held) socket.resume()
  await expect.poll(() => areOpen(held).filter(isOpen => !isOpen)).toHaveLength(1)
})

test('downloads that as many sites leave unread give way after a minute', {
  timeout: 600_000,
}, async context => {
  onlyNightly(context)
  for (let count = 0; count < maxLinkRequests; count++) {
    await leaveUnread(`/files/${big.id}/download`, `198.51.100.${count}`)
  }
  const began = performance.now()
  await expect.poll(() => visit(''), { timeout: 160_000 }).toBe(200)
  // A server cuts off an answer that nobody reads by itself, but not so soon.
  expect(performance.now() - began).toBeLessThan(100_000)
})

test('bodies that come slower than 16 KB/s give way where all networks hold as many', async context => {
  onlyNightly(context)
  const head = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '100000' }
  for (let count = 0; count < maxLinkRequests; count++) {
    const socket = await openForTest(server.url)
    socket.write(
      `${requestHead(server.url, 'POST', `${path}/upload`, { ...head, 'x-forwarded-for': `198.51.100.${count}` })}--b`,
    )
  }
  await expect.poll(countUnderWay).toBe(maxLinkRequests)
  expect(await visit('')).toBe(200)
  expect(await countUnderWay()).toBe(maxLinkRequests - 1)
})

test('an address has half of the places of a link at most', () => {
  expect(maxVisitorRequests).toBeLessThanOrEqual(maxLinkRequests / 2)
})
