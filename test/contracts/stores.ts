/** The kinds of blob stores that run the contract tests, and the contents that the tests store. */
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore, ByteRange, LocalFiles, StoredKey } from '../../src/blobs/blob-store.ts'
import { joinStores } from '../../src/blobs/joined.ts'
import { openLocalStore } from '../../src/blobs/local.ts'
import { openS3Store } from '../../src/blobs/s3/s3.ts'
import { readBytes } from '../support/read-bytes.ts'
import { s3Credentials, startS3Server } from '../support/s3-server.ts'
import { emptyS3Place, newS3Place, s3Service } from '../support/s3-service.ts'
import { openMemoryStore } from './memory-store.ts'

export interface OpenedStore {
  store: BlobStore
  /** Moves a key's modification time into the past (ms). */
  age(key: string, ms: number): Promise<void>
  close(): Promise<void>
}

export interface OpenedLocalStore extends OpenedStore {
  store: BlobStore & { local: LocalFiles }
}

/** Returns the same store, which must have files on this machine. */
function withFiles(store: BlobStore): OpenedLocalStore['store'] {
  if (store.local === null) throw new Error('the store has no files on this machine')
  return { ...store, local: store.local }
}

export async function openLocal(): Promise<OpenedLocalStore> {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-blobs-'))
  return {
    store: withFiles(await openLocalStore(folder)),
    age: (key, ms) => {
      const time = new Date(Date.now() - ms)
      return utimes(join(folder, 'blobs', key.slice(0, 2), key), time, time)
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A real service, whose times nobody can change: a key looks old until it is written again. */
async function openS3Service(): Promise<OpenedStore> {
  const place = newS3Place()
  const store = await openS3Store({ ...place, largest: 1e9, temporary: tmpdir() })
  const aged = new Map<string, { real: number; ms: number }>()
  const timeOf = ({ key, modifiedAt }: StoredKey) => {
    const found = aged.get(key)
    return found?.real === modifiedAt ? modifiedAt - found.ms : modifiedAt
  }
  return {
    store: {
      ...store,
      list: async function* () {
        for await (const entry of store.list()) yield { ...entry, modifiedAt: timeOf(entry) }
      },
    },
    age: async (key, ms) => {
      for await (const entry of store.list()) if (entry.key === key) aged.set(key, { real: entry.modifiedAt, ms })
    },
    close: () => emptyS3Place(place),
  }
}

async function openS3(memory?: number): Promise<OpenedStore> {
  if (s3Service !== undefined) return openS3Service()
  const server = await startS3Server({ pageSize: 7 })
  const place = { address: server.address, credentials: s3Credentials, largest: 1e9 }
  const store = await openS3Store({ ...place, temporary: tmpdir(), memory })
  return {
    store,
    age: async (key, ms) => {
      const stored = server.objects.get(`here/b/${key}`)
      if (stored !== undefined) stored.modifiedAt = Date.now() - ms
    },
    close: server.close,
  }
}

/** An object store whose bytes move to a folder. */
async function openJoined(): Promise<OpenedStore> {
  const [to, from] = [await openLocal(), await openS3()]
  return {
    store: await joinStores(to.store, from.store),
    age: to.age,
    close: async () => {
      await to.close()
      await from.close()
    },
  }
}

export const localKinds: Record<string, () => Promise<OpenedLocalStore>> = { local: openLocal }

/** The store whose parts do not fit its memory and go on in files. */
export const spilling = 's3 with memory for half a part'

export const kinds: Record<string, () => Promise<OpenedStore>> = {
  ...localKinds,
  s3: () => openS3(),
  [spilling]: () => openS3(4 * 1024 ** 2),
  joined: openJoined,
  memory: async () => ({ ...openMemoryStore(), close: async () => undefined }),
}

export const readAll = async (store: BlobStore, key: string, range?: ByteRange): Promise<Buffer> =>
  readBytes(await store.read(key, range))

export async function* chunks(...list: Buffer[]): AsyncGenerator<Buffer> {
  yield* list
}

export async function* failing(first: Buffer): AsyncGenerator<Buffer> {
  yield first
  throw new Error('the source broke')
}

export const listKeys = async (store: BlobStore): Promise<string[]> => {
  const keys: StoredKey[] = []
  for await (const entry of store.list()) keys.push(entry)
  return keys.map(({ key }) => key).sort()
}

/** Bytes without a rhythm that a piece, a slot or a part could have: they repeat after a prime number of them. */
export const bytesOf = (length: number): Buffer =>
  Buffer.alloc(length, Buffer.from(Array.from({ length: 251 }, (_, index) => (index * 7) % 251)))

export const big = bytesOf(3_000_000)
