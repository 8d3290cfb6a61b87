/** The contract of the quarantine; the same tests run on each kind of store. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/base/errors.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import {
  keepDamaged,
  listQuarantine,
  purgeQuarantine,
  putAside,
  putBack,
  type QuarantinedKey,
  readQuarantined,
} from '../../src/blobs/quarantine.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { nothingMissed } from '../support/nothing-missed.ts'
import { chunks, kinds, listKeys, type OpenedStore, readAll } from './stores.ts'

describe.each(Object.entries(kinds))('the quarantine of the %s store', (_kind, openStore) => {
  let opened: OpenedStore
  let store: BlobStore
  const purge = (before: number, missed = new Set<string>()) =>
    purgeQuarantine(store, before, {
      isAny: async () => false,
      find: async hashes => new Set(hashes.filter(hash => missed.has(hash))),
    })

  beforeEach(async () => {
    opened = await openStore()
    store = opened.store
  })
  afterEach(() => opened.close())

  test('takes a key from the store, and purges it when its time has come', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(Buffer.from('x')))
    await putAside(store, key, 1000)
    await putAside(store, key, 1000)
    await expect(store.read(key)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await listKeys(store)).toEqual([])
    expect(await purge(1000)).toMatchObject({ purged: 0 })
    expect(await purge(1001)).toMatchObject({ purged: 1 })
    expect(await purge(1001)).toMatchObject({ purged: 0 })
  })

  test('returns a key to the store, but never over other bytes', async () => {
    const [key, other] = [newBlobKey(), newBlobKey()]
    for (const each of [key, other]) await store.put(each, chunks(Buffer.from('first')))
    await putAside(store, key, 1000)
    const asides: QuarantinedKey[] = []
    for await (const aside of listQuarantine(store)) asides.push(aside)
    expect(asides).toEqual([{ key, at: 1000 }])
    const [aside = { key, at: 0 }] = asides
    expect((await buffer(await readQuarantined(store, aside))).toString()).toBe('first')
    await store.put(key, chunks(Buffer.from('second')))
    await expect(putBack(store, aside)).rejects.toMatchObject({ code: 'EEXIST' })
    expect((await readAll(store, key)).toString()).toBe('second')
    await store.remove(key)
    await putBack(store, aside)
    expect((await readAll(store, key)).toString()).toBe('first')
    await expect(readQuarantined(store, aside)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await purge(Number.MAX_SAFE_INTEGER)).toMatchObject({ purged: 0 })
  })

  test('keeps damaged bytes where no read finds them and no purge deletes them', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(Buffer.from('x')))
    await keepDamaged(store, key, 1000)
    await keepDamaged(store, key, 1000)
    await expect(store.read(key)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await listKeys(store)).toEqual([])
    for await (const aside of listQuarantine(store)) expect(aside).toBeUndefined()
    expect(await purge(Number.MAX_SAFE_INTEGER)).toMatchObject({ purged: 0 })
  })

  test('keeps bytes whose SHA-256 is missed, and purges the others', async () => {
    const contents = ['missed', 'needless']
    for (const content of contents) {
      const key = newBlobKey()
      await store.put(key, chunks(Buffer.from(content)))
      await putAside(store, key, 1000)
    }
    const missed = new Set([createHash('sha256').update('missed').digest('hex')])
    expect(await purge(1001, missed)).toEqual({ purged: 1, missed: 1 })
    const left: string[] = []
    for await (const aside of listQuarantine(store)) {
      left.push((await buffer(await readQuarantined(store, aside))).toString())
    }
    expect(left).toEqual(['missed'])
  })

  test('keeps bytes that the disk does not deliver, and fails while the store does not answer', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(Buffer.from('x')))
    await putAside(store, key, 1000)
    const withError = (error: Error) => ({ aside: { ...store.aside, read: () => Promise.reject(error) } })
    const purgeWith = (error: Error) => purgeQuarantine(withError(error), 1001, nothingMissed)
    expect(await purgeWith(Object.assign(new Error('a bad sector'), { code: 'EIO' }))).toEqual({ purged: 0, missed: 1 })
    expect(await purgeWith(Object.assign(new Error('put back'), { code: 'ENOENT' }))).toEqual({ purged: 0, missed: 0 })
    await expect(purgeWith(new AppError('unavailable', 'The store does not answer'))).rejects.toThrow('does not answer')
    expect(await purge(1001)).toEqual({ purged: 1, missed: 0 })
  })

  test('cannot return a key that it purged', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(Buffer.from('x')))
    await putAside(store, key, 1000)
    await purge(1001)
    await expect(putBack(store, { key, at: 1000 })).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await listKeys(store)).toEqual([])
  })
})
