/** What a folder as a store does with things in it that it did not write. */
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { openLocalStore } from '../../src/blobs/local.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { sweep } from '../../src/blobs/sweep.ts'

async function* chunks(...list: Buffer[]): AsyncGenerator<Buffer> {
  yield* list
}

const listKeys = async (store: BlobStore): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  return keys.sort()
}

describe('the local store on its disk', () => {
  test('follows no link that was planted in it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'filestore-links-'))
    const outside = await mkdtemp(join(tmpdir(), 'filestore-outside-'))
    const secret = join(outside, 'secret')
    await writeFile(secret, 'secret')
    const store = await openLocalStore(folder)
    const key = newBlobKey()
    await symlink(secret, join(folder, 'blobs', key.slice(0, 2), key))
    await expect(store.read(key)).rejects.toMatchObject({ code: 'ELOOP' })
    await expect(store.put(key, chunks(Buffer.from('x')))).rejects.toThrow()
    expect(await listKeys(store)).toEqual([])
    expect(await store.size(key)).toBeNull()
    await mkdir(join(outside, 'kept'))
    await sweep(store, async () => new Set(), Date.now() + 1e12)
    expect((await readdir(outside)).sort()).toEqual(['kept', 'secret'])
    for (const path of [folder, outside]) await rm(path, { recursive: true, force: true })
  })

  test('names what stands among the blobs and is none, and looks into nothing that a link leads to', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'filestore-strangers-'))
    const outside = await mkdtemp(join(tmpdir(), 'filestore-outside-'))
    const store = await openLocalStore(folder)
    const keyOn = (shelf: string) => `${shelf}${newBlobKey().slice(2)}`
    const [key, foreign, misplaced] = [keyOn('02'), keyOn('03'), keyOn('00')]
    await store.put(key, chunks(Buffer.from('x')))
    await symlink('/etc/passwd', join(folder, 'blobs', foreign.slice(0, 2), foreign))
    await writeFile(join(folder, 'blobs', '01', misplaced), 'on another shelf')
    await writeFile(join(folder, 'blobs', 'notes.txt'), 'notes')
    await writeFile(join(outside, keyOn('ff')), 'behind a link')
    await rm(join(folder, 'blobs', 'ff'), { recursive: true })
    await symlink(outside, join(folder, 'blobs', 'ff'))
    const strangers: string[] = []
    for await (const name of store.listStrangers()) strangers.push(name)
    expect(strangers.sort()).toEqual([`${foreign.slice(0, 2)}/${foreign}`, `01/${misplaced}`, 'ff', 'notes.txt'].sort())
    expect(await listKeys(store)).toEqual([key])
    for (const path of [folder, outside]) await rm(path, { recursive: true, force: true })
  })
})
