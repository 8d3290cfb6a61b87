/**
 * Symbolic links and other files that someone planted among the blobs: the server never follows them, in reading,
 * writing or sweeping.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { openLocalStore } from '../../src/blobs/local.ts'
import { keepDamaged, putAside, putBack } from '../../src/blobs/quarantine.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { sweep } from '../../src/blobs/sweep.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { nothingMissed } from '../support/nothing-missed.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

async function* chunks(...list: Buffer[]): AsyncGenerator<Buffer> {
  yield* list
}

const listKeys = async (store: BlobStore): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  return keys.sort()
}

describe('the local store', () => {
  test('does not follow a planted link', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'filestore-links-'))
    const outside = await mkdtemp(join(tmpdir(), 'filestore-outside-'))
    const secret = join(outside, 'secret')
    await writeFile(secret, 'secret')
    const store = await openLocalStore(folder)
    const key = newBlobKey()
    await mkdir(join(folder, 'blobs', key.slice(0, 2)))
    await symlink(secret, join(folder, 'blobs', key.slice(0, 2), key))
    await expect(store.read(key)).rejects.toMatchObject({ code: 'ELOOP' })
    await expect(store.put(key, chunks(Buffer.from('x')))).rejects.toThrow()
    expect(await listKeys(store)).toEqual([])
    expect(await store.size(key)).toBeNull()
    await mkdir(join(outside, 'kept'))
    await sweep(store, { isNamed: async () => new Set(), missed: nothingMissed }, Date.now() + 1e12)
    expect((await readdir(outside)).sort()).toEqual(['kept', 'secret'])
    for (const path of [folder, outside]) await rm(path, { recursive: true, force: true })
  })

  test('does not quarantine or restore through a link in place of a shelf', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'filestore-links-'))
    const outside = await mkdtemp(join(tmpdir(), 'filestore-outside-'))
    const store = await openLocalStore(folder)
    const key = newBlobKey()
    await store.put(key, chunks(Buffer.from('x')))
    await putAside(store, key, 1000)
    await rm(join(folder, 'blobs', key.slice(0, 2)), { recursive: true })
    await symlink(outside, join(folder, 'blobs', key.slice(0, 2)))
    await expect(putBack(store, { key, at: 1000 })).rejects.toMatchObject({ code: 'ELOOP' })
    expect(await readdir(outside)).toEqual([])
    await writeFile(join(outside, key), 'somebody else’s')
    await putAside(store, key, 2000)
    await keepDamaged(store, key, 2000)
    expect(await readdir(outside)).toEqual([key])
    expect(await readdir(join(folder, 'quarantine'))).toEqual([`1000-${key}`])
    for (const path of [folder, outside]) await rm(path, { recursive: true, force: true })
  })

  test('lists foreign files among the blobs, and does not follow links to find more', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'filestore-strangers-'))
    const outside = await mkdtemp(join(tmpdir(), 'filestore-outside-'))
    const store = await openLocalStore(folder)
    const keyOn = (shelf: string) => `${shelf}${newBlobKey().slice(2)}`
    const [key, foreign, misplaced] = [keyOn('02'), keyOn('03'), keyOn('00')]
    await store.put(key, chunks(Buffer.from('x')))
    for (const shelf of ['01', '03']) await mkdir(join(folder, 'blobs', shelf))
    await symlink('/etc/passwd', join(folder, 'blobs', foreign.slice(0, 2), foreign))
    await writeFile(join(folder, 'blobs', '01', misplaced), 'on another shelf')
    await writeFile(join(folder, 'blobs', 'notes.txt'), 'notes')
    await writeFile(join(outside, keyOn('ff')), 'behind a link')
    await symlink(outside, join(folder, 'blobs', 'ff'))
    const strangers: string[] = []
    for await (const name of store.local?.listStrangers() ?? []) strangers.push(name)
    expect(strangers.sort()).toEqual([`${foreign.slice(0, 2)}/${foreign}`, `01/${misplaced}`, 'ff', 'notes.txt'].sort())
    expect(await listKeys(store)).toEqual([key])
    for (const path of [folder, outside]) await rm(path, { recursive: true, force: true })
  })
})

describe('a server with planted links', () => {
  let server: TestServer
  let user: BuiltUser
  let outside: string
  beforeAll(async () => {
    server = await startServer()
    user = await buildUser(server)
    outside = await mkdtemp(join(tmpdir(), 'filestore-outside-'))
  })
  afterAll(async () => {
    await server.close()
    await rm(outside, { recursive: true })
  })

  const blobs = () => join(server.dataDir, 'storage', 'blobs')
  const keyOf = async (sha256: string | null) => {
    const row = await server.deps.db.row<{ key: string }>('SELECT `key` FROM blobs WHERE sha256 = $1', [sha256])
    return row?.key ?? ''
  }
  /** Stores a file in a folder of its own; it is named like a picture, so that thumbnails can be requested, too. */
  const putFile = async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { name: 'a.png', parent_id: folder.id }, largeContent())
    const key = await keyOf(file.sha256)
    return { folder, file, key, shelf: join(blobs(), key.slice(0, 2)), path: join(blobs(), key.slice(0, 2), key) }
  }
  const secret = Buffer.alloc(40 * 1024, 'the secret of somebody else ')

  /** Reads a file in every way; returns the statuses of the answers, except that of the ZIP file. */
  async function readEverywhere({ file, folder }: Awaited<ReturnType<typeof putFile>>): Promise<number[]> {
    const reads = [
      { path: `/api/files/${file.id}/download` },
      { path: `/api/files/${file.id}/download`, headers: { range: 'bytes=5-90' } },
      { path: `/api/files/${file.id}/preview` },
      { path: `/api/files/${file.id}/thumbnail` },
      { path: `/api/files/${folder.id}/archive` },
    ]
    const statuses: number[] = []
    for (const { path, headers } of reads) {
      const isZip = path.endsWith('archive')
      const response = await user.raw(path, { headers }).catch(error => {
        // A ZIP file is being sent already when the file's turn comes, so it breaks off instead.
        if (!isZip) throw error
      })
      const text = (await response?.text().catch(() => '')) ?? ''
      expect(text.includes('the secret')).toBe(false)
      if (!isZip) statuses.push(response?.status ?? 0)
    }
    return statuses
  }

  test('does not send the target of a link in place of a blob', async () => {
    const put = await putFile()
    await writeFile(join(outside, 'secret'), secret)
    await rm(put.path)
    await symlink(join(outside, 'secret'), put.path)
    expect(await readEverywhere(put)).toEqual([500, 500, 500, 500])
    expect(await readFile(join(outside, 'secret'))).toEqual(secret)
  })

  test('does not read, write or delete behind a link in place of a shelf', async () => {
    const put = await putFile()
    const away = join(outside, 'shelf')
    await rename(put.shelf, away)
    await writeFile(join(away, put.key), secret)
    await symlink(away, put.shelf)
    try {
      expect(await readEverywhere(put)).toEqual([500, 500, 500, 500])
      const before = await readdir(away)
      const store = await openLocalStore(join(server.dataDir, 'storage'))
      const other = put.key.slice(0, 2) + newBlobKey().slice(2)
      await expect(store.put(other, chunks(Buffer.from('x')))).rejects.toMatchObject({ code: 'ELOOP' })
      const adopting = store.local?.adopt(other, join(outside, 'shelf', put.key), 'link')
      await expect(adopting).rejects.toMatchObject({ code: 'ELOOP' })
      expect(await store.size(put.key)).toBeNull()
      await store.remove(put.key)
      expect(await readdir(away)).toEqual(before)
    } finally {
      await rm(put.shelf)
      await mkdir(put.shelf)
    }
  })

  test('does not wait for a named pipe in place of a blob', async () => {
    const put = await putFile()
    await rm(put.path)
    await execa('mkfifo', [put.path])
    expect(await readEverywhere(put)).toEqual([500, 500, 500, 500])
  })

  test.each<[string, (path: string) => Promise<unknown>]>([
    ['a named pipe', path => execa('mkfifo', [path])],
    ['a folder', path => mkdir(path)],
    ['a link', path => symlink(join(outside, 'elsewhere'), path)],
  ])('has a mark again where %s stood in its place', async (_what, put) => {
    const path = join(server.dataDir, 'storage', 'store-id')
    await rm(path, { recursive: true, force: true })
    await put(path)
    expect(await server.deps.store.readMark()).toBeNull()
    const mark = { id: 7, sweeps: 3 }
    await server.deps.store.saveMark(mark)
    expect(await server.deps.store.readMark()).toEqual(mark)
    expect(await readdir(outside)).not.toContain('elsewhere')
  })
})
