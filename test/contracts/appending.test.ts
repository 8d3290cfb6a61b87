/** The contract of a blob store for bytes that come in several requests; the same tests run on each kind of store. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Appended, BlobStore } from '../../src/blobs/blob-store.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { onlyNightly } from '../support/rounds.ts'
import { bytesOf, chunks, failing, kinds, listKeys, type OpenedStore, readAll, spilling } from './stores.ts'

const MB = 1024 ** 2
/** More than two parts of an object store. */
const big = bytesOf(17 * MB)
const nothing: Appended = { length: 0, state: null }

describe.each(Object.entries(kinds))('the %s store', (kind, openStore) => {
  let opened: OpenedStore
  let store: BlobStore
  let key: string
  beforeEach(async () => {
    opened = await openStore()
    store = opened.store
    key = newBlobKey()
  })
  afterEach(() => opened.close())

  const append = (from: Appended, ...list: Buffer[]) => appendFrom(from, chunks(...list))
  const appendFrom = (from: Appended, source: AsyncIterable<Buffer>) =>
    store.append(key, from.length, source, { state: from.state, onDurable: async () => undefined })
  const between = (start: number, end: number) => big.subarray(start, end)

  test('keeps what was appended at any places', async () => {
    let there = nothing
    for (const end of [1, 2 * MB, 2 * MB, 8 * MB, 16 * MB + 3, 17 * MB]) {
      const done = await append(there, between(there.length, end))
      expect(done).toMatchObject({ length: end, broken: undefined })
      there = done
    }
    await store.seal(key, there)
    expect(await store.size(key)).toBe(big.length)
    expect((await readAll(store, key)).equals(big)).toBe(true)
    expect(await listKeys(store)).toEqual([key])
  })

  test.each([0, 7, 8 * MB, 16 * MB])('seals %d bytes, also twice', async length => {
    const there = await append(nothing, between(0, length))
    await store.seal(key, there)
    await store.seal(key, there)
    expect((await readAll(store, key)).equals(between(0, length))).toBe(true)
  })

  test('keeps what came before the source failed, and goes on behind it', async () => {
    const done = await appendFrom(nothing, failing(between(0, 9 * MB)))
    expect(done.length).toBe(9 * MB)
    expect(done.broken).toMatchObject({ message: 'the source broke' })
    const all = await append(done, between(9 * MB, big.length))
    await store.seal(key, all)
    expect((await readAll(store, key)).equals(big)).toBe(true)
  })

  test('tells of a slow source no less than was there before, and what it told can be gone on with', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const first = await append(nothing, between(0, 9 * MB))
    async function* slow(): AsyncGenerator<Buffer> {
      for (let at = 9 * MB; at < big.length; at += MB) {
        yield between(at, at + MB)
        vi.advanceTimersByTime(6_000)
      }
    }
    const told: Appended[] = []
    await store.append(key, first.length, slow(), {
      state: first.state,
      onDurable: async durable => void told.push(durable),
    })
    for (const { length } of told) expect(length).toBeGreaterThanOrEqual(first.length)
    const last = told.at(-1) ?? first
    await store.seal(key, await append(last, between(last.length, big.length)))
    expect((await readAll(store, key)).equals(big)).toBe(true)
  })

  test('goes on from an earlier length, as if what came after it had not come', async () => {
    const first = await append(nothing, between(0, MB))
    const second = await append(first, between(MB, 9 * MB))
    await append(second, Buffer.from('what nobody confirmed'))
    const again = await append(second, between(9 * MB, big.length))
    await append(again, Buffer.from('more of it'))
    await store.seal(key, again)
    expect((await readAll(store, key)).equals(big)).toBe(true)
  })

  describe('and what was begun', () => {
    // Where the bytes of a part wait makes no difference here.
    if (kind === spilling) beforeEach(onlyNightly)

    test('is replaced by other bytes at 0', async () => {
      await append(nothing, between(0, 9 * MB))
      await store.seal(key, await append(nothing, Buffer.from('other bytes')))
      expect((await readAll(store, key)).toString()).toBe('other bytes')
    })

    test('refuses to go on behind bytes that are not there', async () => {
      const there = await append(nothing, Buffer.from('some'))
      for (const from of [
        { ...there, length: 5 },
        { length: 1, state: 'null' },
      ]) {
        await expect(append(from, Buffer.from('more'))).rejects.toMatchObject({ code: 'ENOENT' })
        await expect(store.seal(key, from)).rejects.toMatchObject({ code: 'ENOENT' })
      }
      await store.drop(key, there.state)
      await expect(append(there, Buffer.from('more'))).rejects.toMatchObject({ code: 'ENOENT' })
    })

    test.each(['appended', 'sealed'])('drops what was %s, and accepts a second time', async how => {
      const there = await append(nothing, between(0, 9 * MB))
      if (how === 'sealed') await store.seal(key, there)
      await store.drop(key, there.state)
      await store.drop(key, there.state)
      await store.drop(newBlobKey(), null)
      expect(await listKeys(store)).toEqual([])
      await expect(store.seal(key, there)).rejects.toMatchObject({ code: 'ENOENT' })
    })

    test('drops what was begun long ago, unless a row names it', async () => {
      const there = await append(nothing, between(0, 9 * MB))
      const later = Date.now() + 1000
      await store.removeUnfinished(later, async keys => new Set(keys))
      const more = await append(there, between(9 * MB, 10 * MB))
      await store.seal(key, more)
      expect((await readAll(store, key)).equals(between(0, 10 * MB))).toBe(true)
      await store.removeUnfinished(later, async () => new Set())
      expect(await store.size(key)).toBe(10 * MB)
    })
  })
})
