/** A large file that is sent to a link while its owner pauses the link. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { listFiles } from '../../src/api/files.ts'
import { linkDoor } from '../../src/api/link-door.ts'
import { updateLink } from '../../src/api/links.ts'
import { openResumable } from '../../src/api/resumable.ts'
import type { PieceRequest } from '../../src/api/resumable-answers.ts'
import { buildFolder, buildUser } from '../support/factories.ts'
import { openSender } from '../support/link-uploads.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
})
afterAll(() => server.close())

test('a large file goes on where it was when its link works again', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user)
  const { link, client } = await openSender(server, user, folder)
  const bytes = randomBytes(200_000)
  const setActive = (is_active: boolean) => user.call(updateLink, { id: link.id, is_active })
  const begun: string[] = []
  let isBreaking = true
  const send = async ({ method, path, headers, range }: PieceRequest) => {
    const [from = 0, to = 0] = range ?? []
    const end = isBreaking ? Math.min(to, from + 50_000) : to
    const request = { method, headers, body: range === null ? undefined : bytes.subarray(from, end) }
    const response = await client.raw(`/api${path}`, request)
    if (method === 'POST' && response.ok) begun.push(response.headers.get('location') ?? '')
    if (method === 'PATCH' && isBreaking) {
      await setActive(false)
      throw new TypeError('the line broke')
    }
    return {
      status: response.status,
      text: await response.text(),
      header: (name: string) => response.headers.get(name),
    }
  }
  const call = createClient(async ({ method, url, body }) => {
    const headers = { 'content-type': 'application/json' }
    const response = await client.raw(`/api${url}`, { method, headers, body: body ?? undefined })
    return { status: response.status, text: await response.text() }
  })
  const deps = { send, wait: async () => undefined, onProgress: () => undefined }
  const upload = openResumable(deps, linkDoor(call, link.token), bytes.length)
  const target = { name: 'film.bin' }
  await expect(upload.upload(target)).rejects.toThrow('the line broke')
  isBreaking = false
  await expect(upload.upload(target)).rejects.toMatchObject({ code: 'not_found' })
  await setActive(true)
  expect(await upload.upload(target)).toMatchObject({ size: bytes.length })
  expect(begun).toHaveLength(1)
  expect((await user.call(listFiles, { parent_id: folder.id })).files).toMatchObject([{ size: bytes.length }])
})
