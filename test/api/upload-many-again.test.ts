/** Files of one request whose names are partly taken: each gets what its own rule says. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadMany } from '../../src/api/upload-many.ts'
import { buildUser } from '../support/factories.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('files are sent again among new ones, each by its own rule, in the root and in a folder', async () => {
  const user = await buildUser(server)
  const upload = async (items: readonly object[]) => {
    const body = multipartBody(
      items.flatMap(item => [
        { name: 'item', value: JSON.stringify(item) },
        { name: 'file', value: JSON.stringify(item), fileName: 'file.bin' },
      ]),
    )
    const headers = { 'content-type': multipartType }
    const response = await user.raw(`/api${uploadMany.path}`, { method: 'POST', headers, body })
    const { data } = (await response.json()) as { data: unknown }
    return uploadMany.output.parse(data).results.map(result => (result.ok ? result.file.path : result.error))
  }
  await upload([{ name: 'a.txt' }, { name: 'b.txt' }, { name: 'b.txt', path: 'In' }])
  const fail = { on_conflict: 'fail' }
  const results = await upload([
    { name: 'a.txt', ...fail },
    { name: '1.txt' },
    { name: 'b.txt', on_conflict: 'replace' },
    { name: '1.txt', ...fail },
    { name: 'b.txt', path: 'In', ...fail },
    { name: 'a.txt', path: 'In', ...fail },
  ])
  expect(results.join(' ')).toBe('name_taken /1.txt /b.txt name_taken name_taken /In/a.txt')
})
