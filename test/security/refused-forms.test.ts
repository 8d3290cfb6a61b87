/** Forms of many files that are refused while they arrive: what they held is free again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxUploadManyFiles } from '../../src/api/limits.ts'
import { uploadMany } from '../../src/api/upload-many.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

/** 100 files, each after a description of 60 KB: 6 MB of the 8 MB that one user's bodies may hold. */
const form = multipartBody(
  Array.from({ length: maxUploadManyFiles }, (_, n) => [
    { name: 'item', value: JSON.stringify({ name: `${n}.txt`, path: 'a/'.repeat(30_000) }) },
    { name: 'file', value: 'x', fileName: 'file.bin' },
  ]).flat(),
)

const sendForm = () =>
  user.raw(`/api${uploadMany.path}`, { method: 'POST', headers: { 'content-type': multipartType }, body: form })

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
