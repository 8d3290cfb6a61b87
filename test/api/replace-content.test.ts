/** New content for a file by its id: only in place of the content that the caller knows. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import { failure, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let owner: BuiltUser
beforeAll(async () => {
  server = await startServer()
  owner = await buildUser(server)
})
afterAll(() => server.close())

const failed = { status: 412, error: 'precondition_failed' }

function replace(client: TestClient, id: number, ifMatch: string | null, bytes: string | Buffer): Promise<Response> {
  const body = new FormData()
  body.set('file', new Blob([bytes as BlobPart]), 'any name.bin')
  const headers: Record<string, string> = ifMatch === null ? {} : { 'if-match': ifMatch }
  return client.raw(`/api/files/${id}/content`, { method: 'PUT', headers, body })
}

const textOf = async (client: TestClient, id: number) => (await client.raw(`/api/files/${id}/download`)).text()

test.each([['small'], ['a'.repeat(200_000)]])('replaces the content that its ETag names, and no other', async bytes => {
  const file = await buildFile(owner, {}, 'old')
  const etag = (await owner.raw(`/api/files/${file.id}/download`)).headers.get('etag') ?? ''
  const answer = await replace(owner, file.id, etag, bytes)
  expect([answer.status, (await answer.json()).data.file]).toMatchObject([
    200,
    { id: file.id, name: file.name, size: bytes.length },
  ])
  expect(await textOf(owner, file.id)).toBe(bytes)
  expect(await failure(await replace(owner, file.id, etag, 'late'))).toEqual(failed)
  expect(await failure(await replace(owner, file.id, null, 'blind'))).toEqual(failed)
  expect(await failure(await replace(owner, file.id, `W/${etag}`, 'weak'))).toEqual(failed)
  expect(await textOf(owner, file.id)).toBe(bytes)
  expect((await replace(owner, file.id, '*', 'whatever it was')).status).toBe(200)
})

test('of several at once one succeeds', async () => {
  const file = await buildFile(owner, {}, 'old')
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => replace(owner, file.id, `"${file.sha256}"`, `new ${index}`)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)])
})

test('changes a single file that is shared for editing, and no folder', async () => {
  const editor = await buildUser(server)
  const [file, folder] = [await buildFile(owner, {}, 'old'), await buildFolder(owner)]
  for (const item of [file, folder]) await buildShare(owner, item, editor, 'edit')
  expect((await replace(editor, file.id, `"${file.sha256}"`, 'by the editor')).status).toBe(200)
  expect(await textOf(owner, file.id)).toBe('by the editor')
  expect((await owner.call(getFile, { id: file.id })).file.owner_id).toBe(owner.id)
  expect(await failure(await replace(editor, folder.id, '*', 'none'))).toEqual({ status: 404, error: 'not_found' })
})

test('counts only what it adds against the quota', async () => {
  const user = await buildUser(server, { storageQuota: 100_000 })
  const file = await buildFile(user, {}, Buffer.alloc(60_000))
  expect((await replace(user, file.id, '*', Buffer.alloc(90_000))).status).toBe(200)
  expect(await failure(await replace(user, file.id, '*', Buffer.alloc(110_000)))).toEqual({
    status: 413,
    error: 'quota_exceeded',
  })
})
