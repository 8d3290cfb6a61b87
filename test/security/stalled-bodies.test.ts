/** Bodies whose clients stop in the middle keep out nobody who sends less. */
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolder, findFileByPath } from '../../src/api/files.ts'
import { uploadToLink } from '../../src/api/visits.ts'
import { buildFolder, buildUser } from '../support/factories.ts'
import { multipartType, openParts } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'
import { openForTest, requestHead } from '../support/wire.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
})
afterAll(() => server.close())

/** Sends the beginning of a body and nothing more; resolves when the server has taken it or closed the connection. */
async function leave(path: string, given: Record<string, string>, body: Buffer): Promise<Socket> {
  const socket = await openForTest(server.url)
  socket.resume()
  const headers = { origin: server.url, ...given, 'content-length': String(body.length + 1000) }
  socket.write(requestHead(server.url, 'POST', `/api${path}`, headers))
  await new Promise<void>(resolve => {
    socket.once('close', () => resolve())
    socket.write(body, () => resolve())
  })
  return socket
}

const text = Buffer.from(`{"path":"${'a'.repeat(1_030_000)}`)
/** Half a megabyte of fields, before a file that never comes. */
const form = openParts(Array.from({ length: 8 }, (_, n) => ({ name: `f${n}`, value: 'a'.repeat(65_000) })))

/** Fills a link's part of the memory from one address. */
async function fillLink(token: string, address: string): Promise<void> {
  const path = uploadToLink.path.replace(':token', token)
  for (let n = 0; n < 32; n++) await leave(path, { 'content-type': multipartType, 'x-forwarded-for': address }, form)
}

test('visitors who stop in the middle of bodies keep out neither who answers for their links nor other visitors', async () => {
  const maker = await buildUser(server)
  const folder = await buildFolder(maker)
  const tokens: string[] = []
  for (let link = 1; link <= 3; link++) {
    const { token } = await buildLink(maker, folder, { level: 'upload' })
    tokens.push(token)
    await fillLink(token, `198.51.100.${10 + link}`)
  }
  const asked = maker.call(findFileByPath, { path: `/${'a/'.repeat(500_000)}` })
  await expect(asked).rejects.toMatchObject({ code: 'invalid_input' })
  const other = openVisitor(server.url, tokens[2] ?? '')
  expect((await other.upload(Buffer.alloc(30_000), { name: 'mine.bin' })).status).toBe(201)
})

test('a user and the visitors of their links who stop in the middle of bodies keep out no other user', async () => {
  const [evil, user] = [await buildUser(server), await buildUser(server)]
  const folder = await buildFolder(evil)
  const held: Socket[] = []
  const json = { ...evil.headers, 'content-type': 'application/json' }
  for (let n = 0; n < 16; n++) held.push(await leave(findFileByPath.path, json, text))
  for (let link = 1; link <= 3; link++) {
    const { token } = await buildLink(evil, folder, { level: 'upload' })
    const path = uploadToLink.path.replace(':token', token)
    const headers = { 'content-type': multipartType, 'x-forwarded-for': `198.51.100.${link}` }
    for (let n = 0; n < 32; n++) held.push(await leave(path, headers, form))
  }
  for (let n = 0; n < 3; n++) {
    await user.call(createFolder, { name: `folder ${n}` })
    // A megabyte that is read to its end, and then refused for its length.
    const asked = user.call(findFileByPath, { path: `/${'a/'.repeat(500_000)}` })
    await expect(asked).rejects.toMatchObject({ code: 'invalid_input' })
  }
  // They were not all refused: some wait for the rest of their bodies.
  expect(held.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(60)
})
