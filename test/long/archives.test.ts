/**
 * Archives beyond the limits of the old ZIP format (4 GB, 65,535 entries), and an image that takes minutes to render.
 */
import { createWriteStream } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { execa } from 'execa'
import { expect, type TestContext, test } from 'vitest'
import { needProgram, openFolder } from '../support/archives.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { svg } from '../support/images.ts'
import { plantFolders } from '../support/planted.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const gigabyte = 1024 ** 3

async function openAccount(context: TestContext): Promise<{ server: TestServer; user: BuiltUser }> {
  const server = await startServer()
  context.onTestFinished(() => server.close())
  return { server, user: await buildUser(server, { storageQuota: 100 * gigabyte }) }
}

/** A sparse file of this size with only zeroes. */
async function plantHole({ deps, dataDir }: TestServer, user: BuiltUser, name: string, parentId: number, size: number) {
  const before = (await readHoldings({ deps } as TestServer)).keys
  const file = await buildFile(user, { name, parent_id: parentId }, Buffer.from(name.repeat(10_000)))
  const key = (await readHoldings({ deps } as TestServer)).keys.find(candidate => !before.includes(candidate)) ?? ''
  await truncate(join(dataDir, 'storage', 'blobs', key.slice(0, 2), key), size)
  await deps.db.touch(async () => {
    await deps.db.change('UPDATE files SET size = $1 WHERE id = $2', [size, file.id])
    await deps.db.change('UPDATE blobs SET size = $1 WHERE `key` = $2', [size, key])
  })
}

async function saveStream(response: Response): Promise<string> {
  const path = join(await openFolder(), 'large.zip')
  await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(path))
  return path
}

test('an archive over 4 GB, with an entry over 4 GB and a small one after it, is correct for every reader', async context => {
  for (const program of ['unzip', 'bsdtar']) needProgram(context, program)
  const { server, user } = await openAccount(context)
  const folder = await buildFolder(user)
  await plantHole(server, user, 'a hole', folder.id, 4 * gigabyte + 12_345)
  await buildFile(user, { name: 'b behind it', parent_id: folder.id }, 'small')
  await plantHole(server, user, 'c hole', folder.id, 100_000)
  const path = await saveStream(await user.raw(`/api/files/${folder.id}/archive`))
  expect((await execa('unzip', ['-tq', path])).stdout).toContain('No errors')
  expect((await execa('unzip', ['-p', path, 'b behind it'])).stdout).toBe('small')
  expect((await execa('bsdtar', ['-xOf', path, 'b behind it'])).stdout).toBe('small')
  const sizes =
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print([i.file_size for i in z.infolist()], z.testzip())'
  const { stdout } = await execa('python3', ['-c', sizes, path])
  expect(stdout).toBe(`[${4 * gigabyte + 12_345}, 5, 100000] None`)
})

test('an archive of 100,000 entries is correct for every reader', async context => {
  for (const program of ['unzip', 'bsdtar']) needProgram(context, program)
  const { server, user } = await openAccount(context)
  const path = await saveStream(
    await user.raw(`/api/files/${await plantFolders(server, user, 'many', 100_000)}/archive`),
  )
  expect((await execa('unzip', ['-tq', path])).stdout).toContain('No errors')
  const count = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(len(set(z.namelist())), z.testzip())'
  expect((await execa('python3', ['-c', count, path])).stdout).toBe('100000 None')
  expect((await execa('bsdtar', ['-tf', path])).stdout.split('\n').length).toBe(100_000)
})

test('an image that takes minutes to render gets no thumbnail, is not tried again, and blocks no other request', async context => {
  const { user } = await openAccount(context)
  const filters = '<feMorphology radius="20"/>'.repeat(200)
  const content = `<filter id="f">${filters}</filter><rect width="2000" height="2000" filter="url(#f)"/>`
  const file = await buildFile(user, { name: 'costly.svg' }, svg(content, 2000, 2000))
  const look = () => user.raw(`/api/files/${file.id}/thumbnail`)
  const costly = look()
  expect((await user.raw('/api/files')).status).toBe(200)
  expect(await failure(await costly)).toEqual({ status: 404, error: 'not_found' })
  expect(await failure(await look())).toEqual({ status: 404, error: 'not_found' })
})
