/** Forms of many files that are refused, or whose files are, while they arrive. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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

/** The number of long texts that the process, which is the server's too, parses in each turn of its event loop. */
async function countParsedPerTurn(act: () => Promise<unknown>): Promise<number[]> {
  const turns = [0]
  const parse = JSON.parse
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (text.length > 10_000) turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1
    return parse(text, reviver)
  })
  let isDone = false
  const acting = act().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await nextTurn()
    turns.push(0)
  }
  spy.mockRestore()
  await acting
  return turns
}

test('descriptions of thousands of unknown fields are read in a turn of their own each, and few fields are named', async () => {
  const unknown = JSON.stringify(Object.fromEntries(Array.from({ length: 1990 }, (_, n) => [`unknown_${n}`, 1])))
  const parts = Array.from({ length: maxUploadManyFiles }, () => [
    { name: 'item', value: unknown },
    { name: 'file', value: 'x', fileName: 'file.bin' },
  ])
  let text = ''
  const turns = await countParsedPerTurn(async () => {
    const headers = { 'content-type': multipartType }
    const response = await user.raw(path, { method: 'POST', headers, body: multipartBody(parts.flat()) })
    text = await response.text()
  })
  const { results } = uploadMany.output.parse((JSON.parse(text) as { data: unknown }).data)
  expect(turns.reduce((sum, parsed) => sum + parsed, 0)).toBeGreaterThanOrEqual(maxUploadManyFiles)
  expect(Math.max(...turns)).toBe(1)
  for (const result of results) {
    if (result.ok) throw new Error('a file with unknown fields was stored')
    expect(Object.keys(result.fields ?? {}).length).toBeLessThanOrEqual(21)
  }
})
