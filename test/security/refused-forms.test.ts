/** Forms of many files that are refused, or whose files are, while they arrive. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxUploadManyFiles } from '../../src/api/limits.ts'
import { uploadMany } from '../../src/api/upload-many.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const path = `/api${uploadMany.path}`

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

/** Sends a body in pieces, each once the one before is written. */
async function sendInPieces(client: BuiltUser, body: Buffer, size: number) {
  const headers = { ...client.headers, 'content-type': multipartType, 'content-length': body.length }
  const sending = request(server.url + path, { method: 'POST', headers })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  for (let at = 0; at < body.length; at += size) {
    await new Promise(written => sending.write(body.subarray(at, at + size), written))
  }
  sending.end()
  const [response] = await answered
  return { status: response.statusCode, body: await json(response) }
}

/** 100 files, each after a description of 60 KB: 6 MB of the 8 MB that one user's bodies may hold. */
const form = multipartBody(
  Array.from({ length: maxUploadManyFiles }, (_, n) => [
    { name: 'item', value: JSON.stringify({ name: `${n}.txt`, path: 'a/'.repeat(30_000) }) },
    { name: 'file', value: 'x', fileName: 'file.bin' },
  ]).flat(),
)

const sendForm = () => user.raw(path, { method: 'POST', headers: { 'content-type': multipartType }, body: form })

test('after forms that were refused half-way, an account may send as much as before', async () => {
  const statuses: number[] = []
  for (let round = 0; round < 3; round++) {
    const responses = await Promise.all(Array.from({ length: 8 }, sendForm))
    statuses.push(...responses.map(({ status }) => status))
    await Promise.all(responses.map(response => response.text()))
  }
  expect(statuses).toContain(429)
  // Alone, it is refused for no lack of room.
  await expect.poll(async () => (await sendForm()).status).toBe(200)
})

test.each([1000, 1_000_000])(
  'a file beyond the quota is refused alone, in whatever pieces of %i bytes it arrives',
  async piece => {
    const small = await buildUser(server, { storageQuota: 5000 })
    const part = (name: string, value: Buffer) => [
      { name: 'item', value: JSON.stringify({ name }) },
      { name: 'file', value, fileName: 'file.bin' },
    ]
    for (const round of [1, 2, 3]) {
      const parts = [
        ...part(`a${round}`, Buffer.alloc(10)),
        ...part('big', Buffer.alloc(60_000)),
        ...part(`b${round}`, Buffer.alloc(10)),
      ]
      const { status, body } = await sendInPieces(small, multipartBody(parts), piece)
      expect(status).toBe(200)
      const { results } = uploadMany.output.parse((body as { data: unknown }).data)
      expect(results.map(one => (one.ok ? one.file.path : one.error))).toEqual([
        `/a${round}`,
        'quota_exceeded',
        `/b${round}`,
      ])
    }
  },
)
