/** The contract of a blob store; the same tests run on each kind of store. */
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { sweep } from '../../src/blobs/sweep.ts'
import { nothingMissed } from '../support/nothing-missed.ts'
import { big, chunks, failing, kinds, listKeys, type OpenedStore, readAll } from './stores.ts'

describe.each(Object.entries(kinds))('the %s store', (_kind, openStore) => {
  let opened: OpenedStore
  let store: BlobStore

  beforeEach(async () => {
    opened = await openStore()
    store = opened.store
  })
  afterEach(() => opened.close())

  test('keeps the mark that was saved last, even after concurrent saves', async () => {
    expect(await store.readMark()).toBeNull()
    await Promise.all(Array.from({ length: 20 }, (_, sweeps) => store.saveMark({ id: 7, sweeps })))
    expect((await store.readMark())?.id).toBe(7)
    await store.saveMark({ id: 8, sweeps: 3 })
    expect(await store.readMark()).toEqual({ id: 8, sweeps: 3 })
  })

  test('returns the stored bytes, whole or as a range', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(big.subarray(0, 1_500_000), big.subarray(1_500_000)))
    expect((await readAll(store, key)).equals(big)).toBe(true)
    expect(await readAll(store, key, { start: 1_499_990, end: 1_500_009 })).toEqual(big.subarray(1_499_990, 1_500_010))
    expect(await readAll(store, key, { start: 0, end: 0 })).toEqual(big.subarray(0, 1))
    expect(await readAll(store, key, { start: big.length - 1, end: big.length - 1 })).toEqual(big.subarray(-1))
  })

  test('makes old bytes look new', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(big))
    await opened.age(key, 1e9)
    await store.rejuvenate(key)
    await store.rejuvenate(newBlobKey())
    for await (const { modifiedAt } of store.list()) expect(Date.now() - modifiedAt).toBeLessThan(1e8)
    expect(await listKeys(store)).toEqual([key])
  })

  test('refuses a range beyond the end', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(big))
    await expect(store.read(key, { start: 0, end: big.length })).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('refuses bytes that are not as many as their row says, before the first', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(big))
    const read = (size: number) =>
      store.read(key, { start: 0, end: 99 }, { whole: { size, sha256: null, file: 1 } }).then(buffer)
    for (const size of [big.length - 1, big.length + 1])
      await expect(read(size)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await read(big.length)).toEqual(big.subarray(0, 100))
  })

  test('stores an empty blob', async () => {
    const key = newBlobKey()
    await store.put(key, chunks())
    expect(await readAll(store, key)).toEqual(Buffer.alloc(0))
  })

  test('returns the size of a key, and null for an unknown key', async () => {
    const [key, empty] = [newBlobKey(), newBlobKey()]
    await store.put(key, chunks(big))
    await store.put(empty, chunks())
    expect([await store.size(key), await store.size(empty), await store.size(newBlobKey())]).toEqual([
      3_000_000,
      0,
      null,
    ])
  })

  test('gives no address of its bytes unless it is to', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(big))
    const announced = { size: big.length, contentType: 'application/octet-stream', disposition: 'attachment' }
    expect(await store.redirect(key, announced)).toBeNull()
  })

  test('keeps nothing under the key when the source fails', async () => {
    const key = newBlobKey()
    await expect(store.put(key, failing(big))).rejects.toThrow('the source broke')
    expect(await listKeys(store)).toEqual([])
    await expect(store.read(key)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('never overwrites a key, and keeps its first bytes', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(Buffer.from('first')))
    await expect(store.put(key, chunks(Buffer.from('second')))).rejects.toMatchObject({ code: 'EEXIST' })
    expect((await readAll(store, key)).toString()).toBe('first')
  })

  test('replaces the bytes of a key atomically, and keeps them when there are no others', async () => {
    const key = newBlobKey()
    const [draft, missing] = [key.slice(0, 2) + newBlobKey().slice(2), key.slice(0, 2) + newBlobKey().slice(2)]
    await store.put(key, chunks(Buffer.from('first')))
    await store.put(draft, chunks(Buffer.from('second')))
    const stream = await store.read(key)
    await store.replace(key, draft)
    expect((await buffer(stream)).toString()).toBe('first')
    await expect(store.replace(key, missing)).rejects.toMatchObject({ code: 'ENOENT' })
    expect((await readAll(store, key)).toString()).toBe('second')
    expect(await listKeys(store)).toEqual([key])
  })

  test('removes a key, and accepts a second removal', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(Buffer.from('x')))
    await store.remove(key)
    await store.remove(key)
    await expect(store.read(key)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('continues a read whose key is removed meanwhile', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(big))
    const stream = await store.read(key)
    await store.remove(key)
    expect((await buffer(stream)).equals(big)).toBe(true)
  })

  test('has no bytes under an invalid key', async () => {
    for (const key of ['../../etc/passwd', 'abc', '', `${'a'.repeat(63)}/`, `${'a'.repeat(62)}..`]) {
      expect(await store.size(key)).toBeNull()
      await expect(Promise.resolve().then(() => store.read(key))).rejects.toMatchObject({ code: 'ENOENT' })
    }
  })

  test('lists every key with its size', async () => {
    const keys = Array.from({ length: 20 }, newBlobKey).sort()
    await Promise.all(keys.map((key, index) => store.put(key, chunks(Buffer.alloc(index)))))
    expect(await listKeys(store)).toEqual(keys)
    for await (const { key, size } of store.list()) expect(size).toBe(keys.indexOf(key))
  })

  test('reports that it is ready', async () => {
    await expect(store.check()).resolves.toBeUndefined()
  })

  describe('the sweeper', () => {
    const hour = 60 * 60 * 1000

    test('quarantines keys that no row has named for a day, and purges them after a week', async () => {
      const [named, fresh, left] = [newBlobKey(), newBlobKey(), newBlobKey()]
      for (const key of [named, fresh, left]) await store.put(key, chunks(Buffer.from(key)))
      for (const key of [named, left]) await opened.age(key, 25 * hour)
      await opened.age(fresh, 23 * hour)
      const isNamed = async (keys: string[]) => new Set(keys.filter(key => key === named))
      const rows = { isNamed, missed: nothingMissed }
      expect(await sweep(store, rows)).toEqual({ quarantined: 1, purged: 0, missed: 0 })
      expect(await listKeys(store)).toEqual([named, fresh].sort())
      expect(await sweep(store, rows, Date.now() + 6 * 24 * hour)).toMatchObject({ purged: 0 })
      expect(await sweep(store, rows, Date.now() + 8 * 24 * hour)).toMatchObject({ purged: 1 })
    })
  })
})
