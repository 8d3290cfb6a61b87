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

function openBlobs(blobs: Map<string, Stored>): Pick<BlobStore, 'put' | 'read' | 'size' | 'remove' | 'list'> {
  return {
    put: async (key, source) => {
      const pieces: Buffer[] = []
      // Copy the chunk, because the source may overwrite its buffer.
      for await (const chunk of source) pieces.push(Buffer.from(chunk))
      if (blobs.has(key)) throw failure('EEXIST', 'the key exists')
      blobs.set(key, { bytes: Buffer.concat(pieces), modifiedAt: Date.now() })
    },
    read: async (key, range) => {
      if (!hexForm.test(key)) throw failure('ENOENT', 'not the key of a blob')
      const { bytes } = find(blobs, key)
      if (range !== undefined && range.end >= bytes.length) throw failure('ENOENT', 'there are fewer bytes')
      return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)])
    },
    size: async key => blobs.get(key)?.bytes.length ?? null,
    remove: async key => {
      blobs.delete(key)
    },
    async *list() {
      for (const [key, { modifiedAt }] of [...blobs]) yield { key, modifiedAt }
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
    ...openBlobs(blobs),
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
