/** Large answers that clients do not read have a limit for the whole process, beyond which the oldest are cut off. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import type { TestClient } from '../support/client.ts'
import { type BuiltUser, buildKey, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { openForTest, openSocket, requestHead, sendUnread } from '../support/wire.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A folder of whose listing one answer takes the most, 6 MB, which is more than a connection buffers. */
const buildLongFolder = (user: BuiltUser, on = server): Promise<number> =>
  plant(on, user, async (db, owner) => {
    const folder = await plantFolder(db, owner, null, 'long names')
    await plantEntries(db, owner, folder, 8400, index => `${'n'.repeat(200)}${index}`)
    return folder
  })

/** Asks for the folder, and reads no more than the first bytes. */
async function leaveUnread(client: TestClient, folder: number): Promise<Socket> {
  const socket = await openSocket(server.url)
  socket.on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  const begun = new Promise<void>(resolve => socket.once('data', () => resolve(void socket.pause())))
  socket.write(requestHead(server.url, 'GET', `/api/files?parent_id=${folder}`, client.headers))
  await begun
  return socket
}

/** Reads an answer until few bytes of 6 MB are missing; returns how many came. */
async function readMost(socket: Socket): Promise<number> {
  let received = 0
  for await (const piece of socket) {
    received += (piece as Buffer).length
    if (received > 5_500_000) break
  }
  return received
}

async function countUnderWay(): Promise<number> {
  const underWay = await server.deps.metrics.getSingleMetric('filestore_http_requests_under_way')?.get()
  return underWay?.values[0]?.value ?? expect.fail()
}

test('the oldest answer of the user with the most unread bytes is cut off, and no other user’s', async () => {
  const [eve, bob, ann] = [await buildUser(server), await buildUser(server), await buildUser(server)]
  const key = await buildKey(server, eve, ['files:read'])
  const folder = await buildLongFolder(eve)
  const slow = await leaveUnread(bob, await buildLongFolder(bob))
  const anns = await buildLongFolder(ann)
  await leaveUnread(ann, anns)
  await leaveUnread(ann, anns)
  for (let n = 0; n < 4; n++) {
    await leaveUnread(eve, folder)
    await leaveUnread(key, folder)
  }
  // Of eleven answers one of eve's is gone: each counts for 6 MB and a little, and 64 MiB are allowed.
  await expect.poll(countUnderWay).toBe(10)
  expect(await readMost(slow)).toBeGreaterThan(5_500_000)
})

test('of a link the network with the most unread bytes loses one, and no other network', async () => {
  const trusting = await startServer({ trustProxy: '127.0.0.1' })
  onTestFinished(() => trusting.close())
  const eve = await buildUser(trusting)
  const { token } = await buildLink(eve, { id: await buildLongFolder(eve, trusting) })
  const ask = async (address: string): Promise<Socket> => {
    const head = requestHead(trusting.url, 'GET', `/api/s/${token}/files`, { 'x-forwarded-for': address })
    // The sockets may take the first answer of a connection whole.
    return sendUnread(trusting.url, head.repeat(2))
  }
  const first = await ask('203.0.113.9')
  const crowd: Socket[] = []
  for (let n = 0; n < 12; n++) crowd.push(await ask('198.51.100.1'))
  for (const socket of [first, ...crowd]) socket.resume()
  await expect.poll(() => crowd.some(({ closed }) => closed)).toBe(true)
  expect(first.closed).toBe(false)
})

test('visitors of many links of one user lose one, and no user who leaves more unread than each of them', async () => {
  const [eve, bob] = [await buildUser(server), await buildUser(server)]
  const folder = { id: await buildLongFolder(eve) }
  const bobs = await buildLongFolder(bob)
  const own = [await leaveUnread(bob, bobs), await leaveUnread(bob, bobs)]
  const crowd: Socket[] = []
  for (let n = 0; n < 14; n++) {
    const { token } = await buildLink(eve, folder)
    const head = requestHead(server.url, 'GET', `/api/s/${token}/files`, {})
    // The sockets may take the first answer of a connection whole.
    const socket = await openForTest(server.url)
    socket.write(head.repeat(2))
    // One that is cut off at once brings nothing.
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    crowd.push(socket.pause())
  }
  for (const slow of own) expect(await readMost(slow)).toBeGreaterThan(5_500_000)
  for (const socket of crowd) socket.resume()
  await expect.poll(() => crowd.some(({ closed }) => closed)).toBe(true)
})
