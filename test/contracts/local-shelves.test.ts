/** The shelves of the local store: sub-folders that the first process creates that stores a blob there. */
import { chmod, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLocalStore } from '../../src/blobs/local.ts'
import { putAside, putBack } from '../../src/blobs/quarantine.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { big, chunks, listKeys } from './stores.ts'

let folder: string
let blobs: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestore-shelves-'))
  blobs = join(folder, 'blobs')
})
afterEach(() => rm(folder, { recursive: true }))

test('an empty store has no shelves and lists no keys', async () => {
  const store = await openLocalStore(folder)
  expect(await readdir(blobs)).toEqual([])
  expect(await listKeys(store)).toEqual([])
})

test('two processes store into the same shelf at the same time, and each sees the other’s blobs', async () => {
  const stores = [await openLocalStore(folder), await openLocalStore(folder)]
  const keys = Array.from({ length: 20 }, () => `7f${newBlobKey().slice(2)}`)
  await Promise.all(keys.map((key, index) => stores[index % 2]?.put(key, chunks(Buffer.from(key)))))
  expect(await readdir(blobs)).toEqual(['7f'])
  for (const store of stores) expect(await listKeys(store)).toEqual([...keys].sort())
})

test('a new shelf has the permissions of the blob folder', async () => {
  const store = await openLocalStore(folder)
  await chmod(blobs, 0o710)
  const key = newBlobKey()
  await store.put(key, chunks(big))
  expect((await stat(join(blobs, key.slice(0, 2)))).mode & 0o777).toBe(0o710)
})

test('a shelf that a copy of the store lacks is created when a blob returns from the quarantine', async () => {
  const [key, at] = [newBlobKey(), Date.now()]
  const first = await openLocalStore(folder)
  await first.put(key, chunks(big))
  await putAside(first, key, at)
  await rmdir(join(blobs, key.slice(0, 2)))
  const copy = await openLocalStore(folder)
  await putBack(copy, { key, at })
  expect(await listKeys(copy)).toEqual([key])
})
