/** Two stores as one: bytes that are still in the old store are there like those in the new one. */
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { joinStores } from '../../src/blobs/joined.ts'
import { keepDamaged, listQuarantine, putAside, putBack } from '../../src/blobs/quarantine.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { big, chunks, listKeys, type OpenedStore, openLocal, readAll } from './stores.ts'

let places: OpenedStore[]
let [to, from, joined]: BlobStore[] = []
const key = newBlobKey()

beforeEach(async () => {
  places = [await openLocal(), await openLocal()]
  ;[to, from] = places.map(({ store }) => store)
  joined = await joinStores(to as BlobStore, from as BlobStore)
  await from?.put(key, chunks(big))
})
afterEach(async () => {
  for (const place of places) await place.close()
})

const store = (): BlobStore => joined ?? expect.fail()

test('are read, measured and listed', async () => {
  expect((await readAll(store(), key)).equals(big)).toBe(true)
  expect(await readAll(store(), key, { start: 7, end: 9 })).toEqual(big.subarray(7, 10))
  expect(await store().size(key)).toBe(big.length)
  expect(await listKeys(store())).toEqual([key])
})

test('are removed, also while they are in both', async () => {
  await to?.put(key, chunks(big))
  await store().remove(key)
  expect(await store().size(key)).toBeNull()
})

test('are replaced by bytes that come to the new store', async () => {
  const by = newBlobKey()
  await store().put(by, chunks(Buffer.from('new')))
  await store().replace(key, by)
  expect(await readAll(store(), key)).toEqual(Buffer.from('new'))
  expect(await from?.size(key)).toBeNull()
})

test('go to quarantine and come back', async () => {
  await putAside(store(), key, 7)
  expect(await store().size(key)).toBeNull()
  for await (const aside of listQuarantine(store())) expect(aside).toEqual({ key, at: 7 })
  await putBack(store(), { key, at: 7 })
  expect((await readAll(store(), key)).equals(big)).toBe(true)
  await keepDamaged(store(), key, 8)
  expect(await buffer(await store().aside.read(`damaged-8-${key}`))).toEqual(big)
})

test('are not joined with a store of another database', async () => {
  await from?.saveMark({ id: 7, sweeps: 1 })
  await to?.saveMark({ id: 8, sweeps: 1 })
  await expect(joinStores(to as BlobStore, from as BlobStore)).rejects.toMatchObject({ code: 'in_use' })
  await to?.saveMark({ id: 7, sweeps: 1 })
  expect(await (await joinStores(to as BlobStore, from as BlobStore)).readMark()).toEqual({ id: 7, sweeps: 1 })
})
