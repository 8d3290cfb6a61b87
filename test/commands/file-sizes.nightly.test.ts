/**
 * A file whose row tells another size than its content has, or another content, is never sent as whole, and is named by
 * each command.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
let folderId: number
/** One in the database, one in the store. */
let files: { id: number; size: number }[]

beforeAll(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  folderId = (await buildFolder(ann, 'Docs')).id
  files = []
  for (const size of [600, 100_000]) {
    const content = Buffer.alloc(size, 'content')
    const { id } = await buildFile(ann, { parent_id: folderId, name: `${size}.txt` }, content)
    files.push({ id, size })
  }
})
afterAll(() => server.close())

/** Gives both files sizes that are too small or too large, as one flipped bit does. */
const spoil = (by: number) =>
  spoilRows(server, ...files.map(({ id, size }) => `UPDATE files SET size = ${size + by} WHERE id = ${id}`))

test.each([-8, 8])('with %d bytes more in the rows, no byte is sent, and all commands name the files', async by => {
  await spoil(by)
  for (const { id } of files) {
    for (const [path, headers] of [
      ['download', {}],
      ['preview', {}],
      ['download', { range: 'bytes=0-9' }],
    ] as const) {
      const { status } = await ann.raw(`/api/files/${id}/${path}`, { headers })
      expect({ path, headers, status }).toEqual({ path, headers, status: 500 })
    }
  }
  const archive = ann.raw(`/api/files/${folderId}/archive`).then(answer => answer.arrayBuffer())
  await expect(archive).rejects.toThrow()
  expect((await runFsck(server)).findings.filter(({ problem }) => problem === 'file-size')).toHaveLength(2)

  const [folder, site, place] = [await backups.openFolder(), await backups.openSite(), await backups.openFolder()]
  const told = 'their size is not that of their content'
  const saved = await runOn(server, ['backup', folder])
  expect({ code: saved.code, text: saved.stderr + saved.stdout }).toEqual({
    code: 1,
    text: expect.stringContaining(told),
  })
  const verified = await runOn(server, ['backup', '--verify', folder])
  expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(told) })
  expect(await runOn(site, ['restore', folder])).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
  const exported = await runOn(server, ['export', '--user', 'ann', join(place, 'files')])
  expect({ code: exported.code, text: exported.stderr }).toEqual({ code: 1, text: expect.stringContaining('600.txt') })

  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
  for (const { id, size } of files) {
    const answer = await ann.raw(`/api/files/${id}/download`)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.alloc(size, 'content'))
  }
})

test('a reference that one flipped bit made negative is named by a backup, --verify and restore', async () => {
  const [file] = files
  await spoilRows(server, `UPDATE files SET blob_id = blob_id - 128 WHERE id = ${file?.id}`)
  const [folder, site] = [await backups.openFolder(), await backups.openSite()]
  const told = 'table files: rows with blob_id 0, of which there is none in blobs'
  const saved = await runOn(server, ['backup', folder])
  expect({ code: saved.code, text: saved.stderr + saved.stdout }).toEqual({
    code: 1,
    text: expect.stringContaining(told),
  })
  expect(await runOn(server, ['backup', '--verify', folder])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(told),
  })
  expect((await runOn(site, ['restore', folder])).code).toBe(1)
})
