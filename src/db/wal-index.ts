/**
 * Tells whether anything was committed to an SQLite file: each commit, by any process, changes the head of the file's
 * WAL index. Reading it takes a microsecond; asking SQLite (`PRAGMA data_version`) takes a thread and the way there and
 * back.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'

/**
 * The head's first copy: a count of transactions, the last frame and its checksum, two salts. A commit writes the second
 * copy first, and a reader needs both, so nobody sees a commit before it is in the first.
 * https://sqlite.org/walformat.html#the_wal_index_header
 */
const headLength = 48

interface WalIndex {
  /** Returns a text that each commit changes. */
  version(): string
  /** Call it after all connections of this database have been closed. */
  close(): void
}

/**
 * The open indexes of this process, by device and inode. Closing a file drops all locks that the process has on it,
 * SQLite's included; so it stays open until the last database that uses it is closed.
 */
const opened = new Map<string, { descriptor: number; users: number }>()

/** Opens the index of a database file. At least one connection to the file must be open, and in WAL mode. */
export function openWalIndex(file: string): WalIndex {
  const path = `${file}-shm`
  const { dev, ino } = statSync(path)
  const key = `${dev} ${ino}`
  const index = opened.get(key) ?? { descriptor: openSync(path, 'r'), users: 0 }
  index.users += 1
  opened.set(key, index)
  const head = Buffer.alloc(headLength)
  return {
    version: () => {
      readSync(index.descriptor, head, 0, headLength, 0)
      return head.toString('latin1')
    },
    close: () => {
      index.users -= 1
      if (index.users > 0) return
      opened.delete(key)
      closeSync(index.descriptor)
    },
  }
}
