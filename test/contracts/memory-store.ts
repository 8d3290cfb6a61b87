/**
 * A store without files on this machine; it shows that the contract fits a remote store, which can copy and delete
 * only.
 */
import { Readable } from 'node:stream'
import { type AsidePlace, type BlobStore, hexForm, type StoreMark } from '../../src/blobs/blob-store.ts'

interface Stored {
  bytes: Buffer
  modifiedAt: number
}

const failure = (code: string, message: string) => Object.assign(new Error(message), { code })

function find<Kept>(kept: ReadonlyMap<string, Kept>, key: string): Kept {
  const found = kept.get(key)
  if (found === undefined) throw failure('ENOENT', 'there are no such bytes')
  return found
}

function openAside(blobs: Map<string, Stored>): AsidePlace {
  const aside = new Map<string, Buffer>()
  return {
    take: async (key, name) => {
      const stored = blobs.get(key)
      if (stored !== undefined) aside.set(name, stored.bytes)
      blobs.delete(key)
    },
    giveBack: async (name, key) => {
      const bytes = find(aside, name)
      if (blobs.has(key)) throw failure('EEXIST', 'the key exists')
      blobs.set(key, { bytes, modifiedAt: Date.now() })
      aside.delete(name)
    },
    read: async name => Readable.from([find(aside, name)]),
    async *list() {
      yield* [...aside.keys()]
    },
    remove: async name => {
      aside.delete(name)
    },
  }
}

/** Bytes that grow are apart until they are sealed, as in an object store. */
function openAppending(blobs: Map<string, Stored>): Pick<BlobStore, 'append' | 'seal' | 'drop'> {
  const growing = new Map<string, Buffer>()
  return {
    append: async (key, offset, source, { state }) => {
      if (state !== null) throw failure('ENOENT', 'the state is another store’s')
      const there = offset === 0 ? Buffer.alloc(0) : find(growing, key)
      if (there.length < offset) throw failure('ENOENT', 'there are fewer bytes')
      const pieces = [there.subarray(0, offset)]
      let broken: unknown
      try {
        for await (const chunk of source) pieces.push(Buffer.from(chunk))
      } catch (error) {
        broken = error
      }
      const bytes = Buffer.concat(pieces)
      growing.set(key, bytes)
      return { length: bytes.length, state: null, broken }
    },
    seal: async (key, { length, state }) => {
      if (state !== null) throw failure('ENOENT', 'the state is another store’s')
      if (blobs.get(key)?.bytes.length === length) return
      const bytes = find(growing, key)
      if (bytes.length < length) throw failure('ENOENT', 'there are fewer bytes')
      blobs.set(key, { bytes: bytes.subarray(0, length), modifiedAt: Date.now() })
      growing.delete(key)
    },
    drop: async key => {
      growing.delete(key)
      blobs.delete(key)
    },
  }
}

function openBlobs(blobs: Map<string, Stored>): Pick<BlobStore, 'put' | 'read' | 'size' | 'remove' | 'list'> {
  return {
    put: async (key, source) => {
      const pieces: Buffer[] = []
      // Copy the chunk, because the source may overwrite its buffer.
      for await (const chunk of source) pieces.push(Buffer.from(chunk))
      if (blobs.has(key)) throw failure('EEXIST', 'the key exists')
      blobs.set(key, { bytes: Buffer.concat(pieces), modifiedAt: Date.now() })
    },
    read: async (key, range, options) => {
      if (!hexForm.test(key)) throw failure('ENOENT', 'not the key of a blob')
      const { bytes } = find(blobs, key)
      if (range !== undefined && range.end >= bytes.length) throw failure('ENOENT', 'there are fewer bytes')
      const size = options?.whole?.size ?? bytes.length
      if (size !== bytes.length) throw failure('ENOENT', 'there are not so many bytes')
      return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)])
    },
    size: async key => blobs.get(key)?.bytes.length ?? null,
    remove: async key => {
      blobs.delete(key)
    },
    async *list() {
      for (const [key, { modifiedAt, bytes }] of [...blobs]) yield { key, modifiedAt, size: bytes.length }
    },
  }
}

export function openMemoryStore(): { store: BlobStore; age(key: string, ms: number): Promise<void> } {
  const blobs = new Map<string, Stored>()
  let mark: StoreMark | null = null
  const age = async (key: string, ms: number): Promise<void> => {
    const stored = blobs.get(key)
    if (stored !== undefined) stored.modifiedAt = Date.now() - ms
  }
  const store: BlobStore = {
    name: 'memory',
    timeToOpen: 5_000,
    ...openBlobs(blobs),
    ...openAppending(blobs),
    redirect: async () => null,
    rejuvenate: key => age(key, 0),
    replace: async (key, by) => {
      blobs.set(key, find(blobs, by))
      blobs.delete(by)
    },
    removeUnfinished: async () => undefined,
    check: async () => undefined,
    readMark: async () => mark,
    saveMark: async next => {
      mark = next
    },
    aside: openAside(blobs),
    local: null,
  }
  return { store, age }
}
