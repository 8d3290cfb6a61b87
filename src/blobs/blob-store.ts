/** The interfaces of a blob store, and what every store promises; test/contracts/ holds each kind of store to them. */
import type { Readable } from 'node:stream'
import { second } from '../base/clock.ts'
import type { DiskSpace } from './disk-space.ts'

/** The form of a key: 256 bits in hex. The server's keys are random; a backup's key is the SHA-256 of the bytes. */
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
  /** In bytes. */
  size: number
}

/** How many bytes a key has, all of them durable. */
export interface Appended {
  length: number
  /** What the store must know beside the key, for the next `append`, for `seal` and `drop`; null for nothing. */
  state: string | null
}

export interface AppendOptions {
  /** What the store returned with the length at which the appending goes on; null for the first bytes. */
  state: string | null
  /**
   * Called with what is durable while more arrives: after each 64 MiB, and with the first chunk after 5 s. When it
   * rejects, the appending ends with its error.
   */
  onDurable(durable: Appended): Promise<void>
}

/** Returns those of the keys that have a row. */
export type IsNamed = (keys: string[]) => Promise<Set<string>>

/** What files may have lost. */
export interface Missed {
  /** Whether that may be any bytes. */
  isAny(): Promise<boolean>
  /** Those of some SHA-256 (hex) that may be of lost bytes. */
  find(hashes: readonly string[]): Promise<Set<string>>
}

/** What all bytes of a key are, as its row says. */
export interface WholeBytes {
  size: number
  /** Hex; null if nobody knows it, as of a thumbnail. */
  sha256: string | null
  /**
   * The id of the file that is read. A cache answers for that one alone: the time would otherwise reveal that somebody has
   * read an equal one.
   */
  file: number
}

export interface ReadOptions {
  /**
   * The store may overwrite a chunk's memory once the reader asks for the second chunk after it. Set it only when the
   * reader is done with each chunk before it asks on, and collects none.
   */
  reuse?: boolean
  /** What the bytes must be: lets a cache of them answer. Leave it out to read what the store itself has. */
  whole?: WholeBytes
  /** Opens the rest anew where what is being read was replaced or removed meanwhile: equal bytes may be elsewhere. */
  readAgain?(range: ByteRange): Promise<Readable>
}

/** What whoever gets bytes from the store itself is told of them. */
export interface Announced {
  size: number
  contentType: string
  /** The header Content-Disposition. */
  disposition: string
}

/** The mark that ties a store to its database: see files/store-identity.ts. */
export interface StoreMark {
  /** The id of the database. */
  id: number
  /** How many sweeps of the store that database had counted. */
  sweeps: number
}

/** ms, for keys alone: nginx, too, has opened the path that it was told by then. */
export const timeToOpen = 5 * second

/** What every store can do, whether it is a folder or a remote service. */
export interface BlobStore {
  /** The store's name in messages to people: the path of a folder. */
  readonly name: string
  /** ms within which whoever has learned a key, or an address from `redirect`, has opened its bytes. */
  readonly timeToOpen: number
  /**
   * Writes all bytes under an unused key. Durable when it resolves: the bytes survive a power cut. When it rejects, or
   * the source fails, nothing is left under the key. Rejects with EEXIST when the key exists.
   */
  put(key: string, source: AsyncIterable<Buffer>): Promise<void>
  /**
   * Writes on under a key that is being appended to, at `offset`: 0 for a new key, later the length with which
   * `options.state` was returned. What is beyond it is cut off. Where the source fails, the bytes before that count, and
   * `broken` is its error; otherwise it is undefined. Rejects with ENOENT when the key has fewer bytes or the state is
   * another store's. One process at a time may append.
   */
  append(
    key: string,
    offset: number,
    source: AsyncIterable<Buffer>,
    options: AppendOptions,
  ): Promise<Appended & { broken: unknown }>
  /**
   * Ends the appending; the key then reads like any other. It may be repeated. Rejects with ENOENT when the key does not
   * have these bytes. Until then only `append`, `seal` and `drop` know the key, though `list` may show it.
   */
  seal(key: string, appended: Appended): Promise<void>
  /** Removes what was appended to a key, sealed or not; a missing key is no error. */
  drop(key: string, state: string | null): Promise<void>
  /**
   * Opens the bytes of a key, or a range of them. Resolves once they can be read; rejects with ENOENT when the key has
   * no bytes, fewer than the range asks for, or not as many as `options.whole` says. An open stream continues when the key is removed; that of a remote store
   * only while its reader keeps pace.
   */
  read(key: string, range?: ByteRange, options?: ReadOptions): Promise<Readable>
  /** The number of bytes under a key; null when there are none, or when the store did not write what is there. */
  size(key: string): Promise<number | null>
  /**
   * Returns an address from which anybody who knows it may download the bytes for a minute, and do nothing else. Null if
   * the store gives none, or does not have `size` bytes there.
   */
  redirect(key: string, announced: Announced): Promise<string | null>
  /** Sets the modification time of a key's bytes to now, so that the sweeper leaves them for a day. */
  rejuvenate(key: string): Promise<void>
  /**
   * Moves the durable bytes of the key `by` to another key, replacing that key's bytes atomically. Durable when it
   * resolves; when it rejects, `key` has its old or its new bytes. Rejects with ENOENT when `by` has no bytes.
   */
  replace(key: string, by: string): Promise<void>
  /** Removes the bytes of a key; a missing key is no error. */
  remove(key: string): Promise<void>
  /** Lists every key, in no order. A key that exists throughout is listed at least once. */
  list(): AsyncIterable<StoredKey>
  /**
   * Drops what uploads have left that were begun before a time (ms) under keys without a row, as far as `list` does not
   * show it.
   */
  removeUnfinished(before: number, isNamed: IsNamed): Promise<void>
  /** Rejects when the store cannot be used now. */
  check(): Promise<void>
  /** Reads the mark by which a database recognizes its store; null when the store has not been marked yet. */
  readMark(): Promise<StoreMark | null>
  /** Marks the store, durably. */
  saveMark(mark: StoreMark): Promise<void>
  /** The quarantine's place. quarantine.ts says which bytes go there and when they are deleted. */
  readonly aside: AsidePlace
  /** What the store can do because its bytes are local files; null when they are not. */
  readonly local: LocalFiles | null
}

/** A second place of a store, which no key reaches. Names consist of digits, letters and hyphens. */
export interface AsidePlace {
  /** Moves the bytes of a key here, under the given name; a key without bytes is no error. */
  take(key: string, name: string): Promise<void>
  /**
   * Moves bytes from here to an unused key. Durable when it resolves. Rejects with EEXIST when the key exists, with
   * ENOENT when the name has no bytes; both are then unchanged.
   */
  giveBack(name: string, key: string): Promise<void>
  /** Opens the bytes of a name. Rejects with ENOENT when it has none. */
  read(name: string): Promise<Readable>
  /** Lists every name. */
  list(): AsyncIterable<string>
  /** Removes the bytes of a name; a missing name is no error. */
  remove(name: string): Promise<void>
}

/** What only a store of local files can do. */
export interface LocalFiles {
  /** The path of the folder that holds all of them. */
  readonly folder: string
  /**
   * Adopts a regular local file under an unused key. `reflink` shares its blocks until one of the two changes; `link`
   * is the same file, which must never change again. Durable when it resolves. When it rejects, for example because the
   * file system cannot do it, nothing is left under the key.
   */
  adopt(key: string, path: string, mode: 'reflink' | 'link'): Promise<void>
  /** The path where the bytes of a key are, or would be. Nobody may change that file. */
  fileOf(key: string): string
  /**
   * Lets the group of a key's file read it, so that a local web server can send it, and returns the file's path
   * relative to `folder`. The group may then read the bytes that `replace` puts there as well. Null when the file does
   * not have `size` bytes, or has another hard link.
   */
  share(key: string, size: number): Promise<string | null>
  /**
   * Lists everything among the blobs that is not a blob, by path: links, folders, other people's files. Follows none.
   */
  listStrangers(): AsyncIterable<string>
  /** The size of the disk and its free space. */
  space(): Promise<DiskSpace>
}
