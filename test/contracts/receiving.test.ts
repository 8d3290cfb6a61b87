/** Receiving bytes into memory or into a store: the server counts and hashes them, and enforces a limit. */

import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inlineLimit } from '../../src/api/limits.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { threadFrom } from '../../src/blobs/hash.ts'
import { receiveBlob } from '../../src/blobs/receive.ts'
import { big, chunks, failing, kinds, listKeys, type OpenedStore } from './stores.ts'

describe.each(Object.entries(kinds))('receiving into the %s store', (_kind, openStore) => {
  let opened: OpenedStore
  let store: BlobStore

  beforeEach(async () => {
    opened = await openStore()
    store = opened.store
  })
  afterEach(() => opened.close())

  test('keeps up to 32 KiB in memory and stores larger content, with size and hash', async () => {
    const small = big.subarray(0, inlineLimit)
    const one = await receiveBlob(store, chunks(small), { limit: 1e9 })
    expect(one).toMatchObject({ size: inlineLimit, sha256: createHash('sha256').update(small).digest('hex') })
    expect(one.inline?.equals(small)).toBe(true)
    const more = await receiveBlob(store, chunks(big.subarray(0, inlineLimit + 1)), { limit: 1e9 })
    expect(more).toMatchObject({ size: inlineLimit + 1, inline: null })
    expect(await listKeys(store)).toEqual([more.key])
  })

  test('accepts exactly the limit, and refuses one more byte without a trace', async () => {
    await expect(receiveBlob(store, chunks(big), { limit: big.length })).resolves.toMatchObject({ size: big.length })
    await expect(receiveBlob(store, chunks(big), { limit: big.length - 1 })).rejects.toMatchObject({
      code: 'file_too_large',
    })
    await expect(receiveBlob(store, chunks(big.subarray(0, 10)), { limit: 9 })).rejects.toMatchObject({
      code: 'file_too_large',
    })
    expect(await listKeys(store)).toHaveLength(1)
  })

  test('ends its hashing thread when the source fails or exceeds the limit', async () => {
    const readThreads = () => readdir('/proc/self/task')
    // Threads of an earlier test may still be ending.
    const before = await readThreads()
    const broken = receiveBlob(store, failing(big), { limit: 1e9, expected: threadFrom })
    await expect(broken).rejects.toThrow('the source broke')
    const tooMuch = receiveBlob(store, chunks(big), { limit: 9, expected: threadFrom })
    await expect(tooMuch).rejects.toMatchObject({ code: 'file_too_large' })
    await expect.poll(async () => (await readThreads()).filter(id => !before.includes(id))).toEqual([])
    expect(await listKeys(store)).toEqual([])
  })

  test('hashes large content in threads, several at once and with chunks of any size', async () => {
    const pieces = [1, 4096, 65_536, 1_500_000, 3_000_001].map(size => big.subarray(0, size))
    const content = Buffer.concat(pieces)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const receive = () => receiveBlob(store, chunks(...pieces), { limit: 1e9, expected: threadFrom })
    for (const received of await Promise.all([receive(), receive(), receive()])) {
      expect(received).toMatchObject({ size: content.length, sha256 })
      expect((await buffer(await store.read(received.key))).equals(content)).toBe(true)
    }
  })

  test('leaves nothing when the source fails', async () => {
    await expect(receiveBlob(store, failing(big), { limit: 1e9 })).rejects.toThrow('the source broke')
    await expect(receiveBlob(store, failing(Buffer.from('x')), { limit: 1e9 })).rejects.toThrow('the source broke')
    expect(await listKeys(store)).toEqual([])
  })
})
