/**
 * Writes a ZIP file as a stream without compression; each byte is read once. Written by hand, because yazl searches all
 * entries for each one (34 s of CPU time for 100,000 small files, not finished after 5 minutes for 300,000), ignores
 * backpressure in the directory, and keeps 2.8 kB per entry. Here zip-directory.ts keeps the entries packed.
 */
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { openDirectory } from './zip-directory.ts'
import { centralRecord, dataDescriptor, endRecords, localHeader, type ZipFacts, type ZipFolder } from './zip-records.ts'

/** The bytes of an entry, and their expected number. */
export interface ZipContent {
  size: number
  bytes: Readable | Buffer
}

export interface ZipEntry {
  /** Null at the archive's top. */
  folder: ZipFolder | null
  /** One path component; must not lead out of the folder. */
  name: string
  /** ms, UTC. */
  modifiedAt: number
  /** Opens the content when the entry is written; null for a folder. */
  open: (() => Promise<ZipContent>) | null
}

/** Bytes to collect before passing them on: sending headers and small files one by one would cost more. */
const pieceSize = 64 * 1024

/** Directory records to build before yielding to other work; they take about a millisecond. */
const recordsAtOnce = 200

/** Yields the whole file. If ended early, it closes its input. Throws if an entry has another size than expected. */
export const writeZip = (entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> => gather(writeRecords(entries))

async function* writeRecords(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory = openDirectory()
  let offset = 0
  for await (const entry of entries) {
    for await (const chunk of writeEntry(entry, offset, directory.add)) {
      offset += chunk.length
      yield chunk
    }
  }
  let size = 0
  let made = 0
  for (const facts of directory.read()) {
    // Nothing here is asynchronous, so yield to other work.
    if (made++ % recordsAtOnce === 0) await setImmediate()
    const record = centralRecord(facts)
    size += record.length
    yield record
  }
  yield endRecords({ count: directory.count(), size, offset })
}

/** Writes an entry, then calls `done` with its facts. */
async function* writeEntry(entry: ZipEntry, offset: number, done: (facts: ZipFacts) => void): AsyncGenerator<Buffer> {
  const { size, bytes } = entry.open === null ? { size: 0, bytes: Buffer.alloc(0) } : await entry.open()
  const facts: ZipFacts = {
    folder: entry.folder,
    name: entry.name,
    isDirectory: entry.open === null,
    modifiedAt: entry.modifiedAt,
    size,
    crc: 0,
    hasDescriptor: !Buffer.isBuffer(bytes),
    offset,
  }
  if (Buffer.isBuffer(bytes)) {
    if (bytes.length !== size) throw wrongSize(facts, bytes.length)
    const known = { ...facts, crc: crc32(bytes) }
    yield localHeader(known)
    yield bytes
    return done(known)
  }
  try {
    yield localHeader(facts)
    const known = { ...facts, crc: yield* writeStream(facts, bytes) }
    yield dataDescriptor(known)
    done(known)
  } finally {
    // Close it explicitly: a stream that was never read is not closed automatically.
    bytes.destroy()
  }
}

/** Yields the bytes; returns their CRC. */
async function* writeStream(facts: ZipFacts, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, number> {
  let crc = 0
  let size = 0
  for await (const chunk of bytes) {
    crc = crc32(chunk, crc)
    size += chunk.length
    yield chunk
  }
  if (size !== facts.size) throw wrongSize(facts, size)
  return crc
}

const wrongSize = ({ size }: ZipFacts, found: number): Error =>
  new Error(`a file in an archive has ${found} bytes in place of ${size}`)

async function* gather(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    length += chunk.length
    if (length < pieceSize) continue
    yield Buffer.concat(held, length)
    held = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(held, length)
}
