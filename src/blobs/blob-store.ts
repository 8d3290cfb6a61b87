/** The interfaces of a store of bytes, and what every store promises; test/contracts/ holds each kind of store to them. */
import type { Readable } from 'node:stream'
import type { DiskSpace } from './disk-space.ts'

/** The form of a key: 256 bits in hex. A key of the server's store is random, one of a backup's is a SHA-256. */
export const hexForm = /^[0-9a-f]{64}$/

/** First and last byte, both included, as HTTP counts them. */
export interface ByteRange {
  start: number
  end: number
}

export interface StoredKey {
  key: string
  /** ms, UTC; when the bytes were last written. */
  modifiedAt: number
}

/** What a store bears of its database: see files/own-store.ts. */
export interface StoreMark {
  /** The database's number. */
  id: number
  /** How often that database had swept it. */
  sweeps: number
}

/** What any store can do, be it a folder or a service elsewhere. */
export interface BlobStore {
  /** The store as people are told of it: the path of a folder. */
  readonly name: string
  /**
   * Writes all bytes under a key that nothing has yet. Durable when it resolves: the bytes survive a power cut.
   * When it rejects, or the source fails, nothing is left under the key. Rejects with EEXIST for a key that exists.
   */
  put(key: string, source: AsyncIterable<Buffer>): Promise<void>
  /**
   * Opens the bytes of a key, or of a range of them. Resolves once they can be read; rejects with ENOENT where the
   * key has none, or fewer than the range asks for. An opened stream goes on when the key is removed meanwhile.
   * With `reuse` the store may write over the memory of a chunk once the second chunk after it is asked for: for those who
   * ask when they are done with a chunk, and gather none.
   */
  read(key: string, range?: ByteRange, options?: { reuse: boolean }): Promise<Readable>
  /** How many bytes a key has; null where it has none, or something that the store did not write. */
  size(key: string): Promise<number | null>
  /** Makes the bytes of a key, if there are any, look as if they had just been written: the sweeper leaves them for a day. */
  rejuvenate(key: string): Promise<void>
  /**
   * Moves the durable bytes of the key `by` to another key, where they take the place of others at one stroke. Durable when
   * it resolves; when it rejects, both keys are as they were. Rejects with ENOENT where `by` has no bytes.
   */
  replace(key: string, by: string): Promise<void>
  /** Removes the bytes of a key; a key that has none is no error. */
  remove(key: string): Promise<void>
  /** Lists every key, in no order; a key that stays meanwhile comes at least once. */
  list(): AsyncIterable<StoredKey>
  /** Rejects where the store cannot be used now. */
  check(): Promise<void>
  /** Reads by what a database knows its store; null where the store has not been marked yet. */
  readMark(): Promise<StoreMark | null>
  /** Marks the store, durably. */
  saveMark(mark: StoreMark): Promise<void>
  /** Where bytes lie that have been put aside; quarantine.ts says which, and when they end. */
  readonly aside: AsidePlace
  /** What the store can do because its bytes are files of this machine; null where they are not. */
  readonly local: LocalFiles | null
}

/** A second place of a store, to which no key leads. Names are digits, letters and hyphens. */
export interface AsidePlace {
  /** Moves the bytes of a key here, under a name of their own; a key that has none is no error. */
  take(key: string, name: string): Promise<void>
  /**
   * Moves bytes from here under a key that nothing has yet. Durable when it resolves. Rejects with EEXIST for a key that
   * exists, with ENOENT where the name has no bytes; both are then as they were.
   */
  giveBack(name: string, key: string): Promise<void>
  /** Opens the bytes of a name. Rejects with ENOENT where it has none. */
  read(name: string): Promise<Readable>
  /** Lists every name. */
  list(): AsyncIterable<string>
  /** Removes the bytes of a name; a name that has none is no error. */
  remove(name: string): Promise<void>
}

/** What only a store can do whose bytes are files of this machine. */
export interface LocalFiles {
  /** The path of the folder in which all of them lie. */
  readonly folder: string
  /**
   * Takes a regular file of this machine in under a key that nothing has yet: `reflink` shares its blocks until one of the
   * two changes, `link` is the very file, which must never change again. Durable when it resolves; when it rejects, as
   * where the file system cannot do it, nothing is left under the key.
   */
  adopt(key: string, path: string, mode: 'reflink' | 'link'): Promise<void>
  /** The path of the file in which the bytes of a key would lie, which nobody may change. */
  fileOf(key: string): string
  /**
   * Lets the group of the file in which the bytes of a key lie read them, for a program of this machine that sends them,
   * and gives back the file's path below `folder`. The group may read what `replace` puts in their place, too. Null where
   * there are not `size` bytes, or where the file has a name elsewhere, too.
   */
  share(key: string, size: number): Promise<string | null>
  /** Lists what stands among the blobs and is none, by its place there: links, folders, others' files. None is followed. */
  listStrangers(): AsyncIterable<string>
  /** How much the disk below holds, and may still take. */
  space(): Promise<DiskSpace>
}
