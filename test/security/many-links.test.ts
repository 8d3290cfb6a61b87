/** Whoever makes many links has no more of the server for their visitors than by one, and keeps nobody else waiting. */
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  maxMakerRequests,
  maxMakerStreams,
  maxStreams,
  maxVisitorsRequests,
  maxVisitorsStreams,
} from '../../src/api/limits.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { requestHead, sendUnread } from '../support/wire.ts'

let server: TestServer
let makers: BuiltUser[]
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
  makers = [await buildUser(server), await buildUser(server), await buildUser(server)]
})
afterAll(() => server.close())

/** The paths of links on an item of a user. */
async function buildLinks(maker: BuiltUser, item: { id: number }, count: number): Promise<string[]> {
  const paths: string[] = []
  for (let made = 0; made < count; made += 1) paths.push(`/api/s/${(await buildLink(maker, item)).token}`)
  return paths
}

const large = Buffer.alloc(20 * 1024 ** 2)

let networks = 0
/** An address of a network that nobody else has. */
const newAddress = (): string => `198.51.${100 + Math.floor(networks / 250)}.${networks++ % 250}`

async function visit(path: string): Promise<number> {
  const answer = await fetch(`${server.url}${path}`, { headers: { 'x-forwarded-for': newAddress() } })
  await answer.arrayBuffer()
  return answer.status
}

/** Holds back each page that is read of the database, until `open` is called; `running` counts those under way. */
function holdPages() {
  const { db } = server.deps
  const { page } = db
  let [running, open] = [0, () => {}]
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const held: typeof page = async (...args) => {
    running += 1
    await gate
    return page(...args)
  }
  Object.assign(db, { page: held })
  return {
    running: () => running,
    open: () => {
      Object.assign(db, { page })
      open()
    },
  }
}

test('the lists of all links of a user are read four at once, and those of all links eight', async context => {
  onlyOneServer('process', context)
  const [first = [], ...others] = await Promise.all(
    makers.map(async maker => buildLinks(maker, await buildFolder(maker), 3)),
  )
  const pages = holdPages()
  const asked = first.flatMap(path => [1, 2, 3].map(() => visit(`${path}/files`)))
  await expect.poll(pages.running).toBe(4)
  asked.push(...others.flat().flatMap(path => [1, 2].map(() => visit(`${path}/files`))))
  await expect.poll(pages.running).toBe(8)
  // Whatever else could begin has begun when calls are answered that came later.
  for (const path of first) expect(await visit(`${path}/missing`)).toBe(404)
  expect(pages.running()).toBe(8)
  pages.open()
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]))
})

test('ZIP files of all links of a user wait for each other where every network has as many', async () => {
  const [maker = expect.fail()] = makers
  const folder = await buildFolder(maker)
  await buildFile(maker, { parent_id: folder.id }, large)
  const links = await buildLinks(maker, folder, maxMakerStreams / maxStreams + 1)
  const last = links.pop() ?? expect.fail()
  const unread: Socket[] = []
  for (const path of links) {
    for (let count = 0; count < maxStreams; count += 1) {
      const head = requestHead(server.url, 'GET', `${path}/download`, { 'x-forwarded-for': newAddress() })
      unread.push(await sendUnread(server.url, head))
    }
  }
  let isDone = false
  const waiting = visit(`${last}/download`).finally(() => {
    isDone = true
  })
  for (const what of ['', '/files', '']) expect(await visit(`${last}${what}`)).toBe(200)
  expect(isDone).toBe(false)
  unread[0]?.destroy()
  expect(await waiting).toBe(200)
  expect(unread).toHaveLength(maxMakerStreams)
})

test('a visitor’s ZIP file adds no more listeners to its answer than Node expects', async () => {
  const [maker = expect.fail()] = makers
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const [path = expect.fail()] = await buildLinks(maker, await buildFolder(maker), 1)
  expect(await visit(`${path}/download`)).toBe(200)
  expect(warnings).toEqual([])
})

test('ZIP files of all links of all users wait for each other where every network has as many', async context => {
  onlyNightly(context)
  const unread: Socket[] = []
  const leaveUnread = async (path: string) => {
    const head = requestHead(server.url, 'GET', `${path}/download`, { 'x-forwarded-for': newAddress() })
    unread.push(await sendUnread(server.url, head))
  }
  for (let count = 0; count < maxVisitorsStreams; count += maxMakerStreams) {
    const maker = await buildUser(server)
    const folder = await buildFolder(maker)
    await buildFile(maker, { parent_id: folder.id }, large)
    for (const path of await buildLinks(maker, folder, maxMakerStreams)) await leaveUnread(path)
  }
  const maker = await buildUser(server)
  const [last = expect.fail()] = await buildLinks(maker, await buildFolder(maker), 1)
  let isDone = false
  const waiting = visit(`${last}/download`).finally(() => {
    isDone = true
  })
  for (const what of ['', '/files', '']) expect(await visit(`${last}${what}`)).toBe(200)
  expect(isDone).toBe(false)
  unread[0]?.destroy()
  expect(await waiting).toBe(200)
})

test('downloads that one site leaves unread at many links of a user give way to another site', async context => {
  onlyNightly(context)
  const [, maker = expect.fail()] = makers
  const file = await buildFile(maker, {}, large)
  const links = await buildLinks(maker, file, 4)
  const sites = Array.from({ length: maxMakerRequests }, (_, count) => `2001:db8:0:${count.toString(16)}::1`)
  const unread = await Promise.all(
    sites.map(async (address, at) => {
      const path = links[at % links.length] ?? expect.fail()
      const what = `${path}/files/${file.id}/download`
      return sendUnread(server.url, requestHead(server.url, 'GET', what, { 'x-forwarded-for': address }))
    }),
  )
  expect(await visit(links[0] ?? '')).toBe(200)
  for (const socket of unread) socket.resume()
  await expect.poll(() => unread.filter(({ closed }) => closed).length).toBe(1)
})

test('the links of one user take a quarter of the places of all visitors at most', () => {
  expect(maxMakerRequests).toBeLessThanOrEqual(maxVisitorsRequests / 4)
})
