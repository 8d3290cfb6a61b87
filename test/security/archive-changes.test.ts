/** A file of a ZIP file under way that gets other content, which the reader may not read: nothing of that is sent. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { copyFile, moveFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
let admin: TestClient
let owner: BuiltUser
let reader: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  owner = await buildUser(server)
  reader = await buildUser(server)
})
afterEach(() => turnSettings(admin, { validation_enabled: false }))
afterAll(() => server.close())

const secret = 'what the reader may not read'
const large = randomBytes(3 * 1024 ** 2)

interface Shared {
  folder: FileDetails
  /** What is read before the file: more bytes than the buffers of a connection take. */
  first: FileDetails
  file: FileDetails
  token: string
}

async function buildShared(): Promise<Shared> {
  const folder = await buildFolder(owner)
  const first = await buildFolder(owner, 'a', folder.id)
  const content = await buildFile(owner, { name: 'a', parent_id: first.id }, large)
  for (let n = 0; n < 7; n++) await owner.call(copyFile, { id: content.id, parent_id: first.id, name: `a-${n}` })
  const file = await buildFile(owner, { name: 'b.txt', parent_id: folder.id }, 'what anybody may read')
  await buildShare(owner, folder, reader, 'view')
  const { token } = await buildLink(owner, folder)
  return { folder, first, file, token }
}

const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const readers: [string, (shared: Shared) => Promise<Response>][] = [
  ['a shared folder', ({ folder }) => reader.raw(`/api/files/${folder.id}/archive`)],
  ['chosen items', ({ first, file }) => reader.raw('/api/files/archive', json({ ids: [first.id, file.id] }))],
  ["a link's folder", ({ token }) => openVisitor(server.url, token).raw('/download')],
  [
    "a link's chosen items",
    ({ token, first, file }) => openVisitor(server.url, token).raw('/archive', json({ ids: [first.id, file.id] })),
  ],
]

const acts: [string, (shared: Shared) => Promise<unknown>][] = [
  [
    'is moved out and written anew',
    async ({ file }) => {
      const { id } = await buildFolder(owner)
      await owner.call(moveFile, { id: file.id, parent_id: id })
      await owner.upload(secret, { name: 'b.txt', parent_id: id, on_conflict: 'replace' })
    },
  ],
  [
    'gets content that waits for approval',
    async ({ file, folder }) => {
      await turnSettings(admin, { validation_enabled: true })
      await owner.upload(secret, { name: 'b.txt', parent_id: folder.id, on_conflict: 'replace' })
      expect((await reader.raw(`/api/files/${file.id}/download`)).status).toBe(404)
    },
  ],
]

/** Reads an answer to its end, or to where it breaks off. */
async function readRest(response: Response): Promise<{ isWhole: boolean; bytes: Buffer }> {
  const parts: Uint8Array[] = []
  try {
    for await (const part of response.body ?? []) parts.push(part)
    return { isWhole: true, bytes: Buffer.concat(parts) }
  } catch {
    return { isWhole: false, bytes: Buffer.concat(parts) }
  }
}

describe.each(readers)('the ZIP file of %s breaks off when a file', (_what, open) => {
  test.each(acts)('%s', async (_act, act) => {
    const shared = await buildShared()
    const response = await open(shared)
    expect(response.status).toBe(200)
    await act(shared)
    const { isWhole, bytes } = await readRest(response)
    expect({ isWhole, hasSecret: bytes.includes(secret) }).toEqual({ isWhole: false, hasSecret: false })
  })
})
