/**
 * Small files whose bytes were damaged in the database: each request for them is an error, and the log names the file.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { copyFile } from '../../src/api/files.ts'
import { runOn } from '../commands/administration.ts'
import { openFolder } from '../commands/backups.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
const sentence = 'The content of this file has changed on the server'

beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1', accelRedirect: '/_filestore' })
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

const call = (id: number, what: string, headers: Record<string, string> = {}, method = 'GET') =>
  user.raw(`/api/files/${id}/${what}`, { headers, method })

/** Builds an image in a folder and changes one byte of it in the database. */
async function buildChanged(width: number) {
  const folder = await buildFolder(user)
  const bytes = await drawImage(width, 40).as('png')
  const { id } = await buildFile(user, { name: 'changed.png', parent_id: folder.id }, bytes)
  const changed = Buffer.from(bytes)
  changed[bytes.length - 1] = (changed.at(-1) ?? 0) ^ 1
  await spoilRows(
    server,
    `UPDATE blob_bytes SET bytes = X'${changed.toString('hex')}' WHERE blob_id = (SELECT blob_id FROM files WHERE id = ${id})`,
  )
  return { id, folder, bytes }
}

test.each(['download', 'preview', 'thumbnail'])('%s of changed bytes is an error and carries no ETag', async what => {
  const { id } = await buildChanged(what.length)
  const requests: Record<string, string>[] = [{}, { range: 'bytes=0-3' }, { 'x-forwarded-for': '203.0.113.9' }]
  for (const headers of requests) {
    const response = await call(id, what, headers)
    expect([response.status, (await response.json()).message]).toEqual([500, sentence])
    for (const name of ['etag', 'content-disposition', 'x-accel-redirect'])
      expect(response.headers.get(name)).toBeNull()
  }
  expect((await call(id, what, {}, 'HEAD')).status).toBe(500)
})

test('an archive breaks off at changed bytes, and a copy shares the changed bytes', async () => {
  const { id, folder } = await buildChanged(90)
  const archive = await call(folder.id, 'archive')
  expect(archive.status).toBe(200)
  await expect(archive.arrayBuffer()).rejects.toThrow()
  const { file } = await user.call(copyFile, { id, parent_id: null })
  expect((await call(file.id, 'download')).status).toBe(500)
})

test('an export names the file whose bytes changed', async () => {
  await buildChanged(92)
  const target = await openFolder()
  const { code, stderr } = await runOn(server, ['export', target, '--user', user.username])
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`changed.png: ${sentence}`) })
})

test('uploading the original bytes again mends the changed file', async () => {
  const { id, bytes } = await buildChanged(91)
  await buildFile(user, { name: 'again.png' }, bytes)
  expect(Buffer.from(await (await call(id, 'download')).arrayBuffer())).toEqual(bytes)
})
