/** Groups of small files as the clients send them: what they hold together fits into an account's memory. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { inlineLimit } from '../../src/api/limits.ts'
import { openGroupRoom } from '../../src/api/upload-group-room.ts'
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

/** The number of files of a size that a client puts into one request. */
function mostIn(bytes: number): number {
  const takes = openGroupRoom()
  let count = 0
  while (takes(bytes)) count += 1
  return count
}

test('a group takes 100 files, 4 MB, and 2 MB of what the server keeps in memory', () => {
  expect([10 * 1024, inlineLimit, inlineLimit + 1, 1024 ** 2].map(mostIn)).toEqual([100, 64, 100, 4])
})

test.each([10 * 1024, inlineLimit])('six groups of files of %i bytes at once are all stored', async bytes => {
  const before = (await user.call(listFiles, {})).total
  const count = mostIn(bytes)
  const send = async (group: number): Promise<number> => {
    const parts = Array.from({ length: count }, (_, index) => [
      { name: 'item', value: JSON.stringify({ name: `${bytes} ${group} ${index}.bin` }) },
      { name: 'file', value: randomBytes(bytes), fileName: 'file.bin' },
    ])
    const body = multipartBody([{ name: 'parent_id', value: '' }, ...parts.flat()])
    const headers = { 'content-type': multipartType }
    const response = await user.raw(`/api${uploadMany.path}`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  }
  expect(await Promise.all(Array.from({ length: 6 }, (_, group) => send(group)))).toEqual(Array(6).fill(200))
  expect((await user.call(listFiles, {})).total).toBe(before + 6 * count)
})
