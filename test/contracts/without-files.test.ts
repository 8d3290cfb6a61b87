/** What the product does differently when a store has no files on this machine. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { openLog } from '../../src/base/log.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { openFreeSpace } from '../../src/blobs/free-space.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { copyContent } from '../../src/commands/backup/contents.ts'
import { adoptBytes } from '../../src/commands/transfer/adopt-bytes.ts'
import { shareStored } from '../../src/files/read.ts'
import { openMemoryStore } from './memory-store.ts'
import { big, chunks, type OpenedStore, openLocal, readAll } from './stores.ts'

let store: BlobStore
let folder: string
let local: OpenedStore
beforeEach(async () => {
  store = openMemoryStore().store
  folder = await mkdtemp(join(tmpdir(), 'filestore-without-'))
  local = await openLocal()
})
afterEach(async () => {
  await local.close()
  await rm(folder, { recursive: true, force: true })
})

const sha256 = createHash('sha256').update(big).digest('hex')

test.each(['copy', 'reflink', 'link'] as const)('an import by %s copies the bytes', async mode => {
  const path = join(folder, 'file')
  await writeFile(path, big)
  const received = await adoptBytes(store, { path, size: big.length }, mode, new AbortController().signal)
  expect(received).toMatchObject({ size: big.length, sha256, inline: null })
  expect((await readAll(store, received.key)).equals(big)).toBe(true)
})

test('a download cannot be handed to a proxy', async () => {
  const key = newBlobKey()
  await store.put(key, chunks(big))
  expect(await shareStored({ store }, key, big.length)).toBeNull()
})

test('a backup copies the bytes, from the store and back', async () => {
  const [key, content] = [newBlobKey(), { sha256, size: big.length }]
  await store.put(key, chunks(big))
  for (const sharing of ['reflink', 'link'] as const) {
    const there = { store: local.store, key: newBlobKey() }
    expect(await copyContent({ store, key }, there, content, sharing)).toBe('copied')
    const back = { store, key: newBlobKey() }
    expect(await copyContent(there, back, content, sharing)).toBe('copied')
    expect(await copyContent(there, back, content, sharing)).toBe('kept')
    expect((await readAll(store, back.key)).equals(big)).toBe(true)
  }
})

test('the minimum of free space applies to the database only', async () => {
  const config = { database: { dialect: 'sqlite', file: join(folder, 'db') }, minFreeSpace: null, workers: 1 } as const
  const freeSpace = openFreeSpace({ config, store, log: openLog('silent'), clock: systemClock })
  expect((await freeSpace.look()).map(({ name }) => name)).toEqual(['database'])
})
