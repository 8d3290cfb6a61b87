/**
 * Keeps the entries for a ZIP file's central directory, which is written last. Packed, each takes 33 bytes and its name
 * at any depth. Objects would take several times as much, for as long as a slow reader downloads.
 */
import type { ZipFacts, ZipFolder } from './zip-records.ts'

/** Bytes allocated at a time; a record holds one name and is far shorter. */
const pageSize = 64 * 1024

/** Consecutive records, none of which crosses a page boundary. */
function openPages() {
  const pages: Buffer[] = []
  /** The end of the used part of the last page. */
  let end = pageSize
  return {
    /** Stores a record; returns its position. */
    add(record: Buffer): number {
      if (end + record.length > pageSize) {
        pages.push(Buffer.alloc(pageSize))
        end = 0
      }
      const at = end
      end += record.copy(pages.at(-1) as Buffer, at)
      return (pages.length - 1) * pageSize + at
    },
    /** The rest of the page from a position on. */
    at: (place: number): Buffer => (pages[Math.floor(place / pageSize)] as Buffer).subarray(place % pageSize),
    /** The position of each page. */
    *starts(): Generator<number> {
      for (const index of pages.keys()) yield index * pageSize
    },
  }
}

/** A folder's record: its parent's position, the length of its name, the name. */
const folderHead = 8
/**
 * An entry's record: its folder's position, offset, size (6 bytes each), time (8), CRC (4), kind (1), name length (2).
 */
const entryHead = 33

/** A position as it is stored: 0 is the top of the archive. */
const kept = (place: number | null): number => (place === null ? 0 : place + 1)
const placeOf = (number: number): number | null => (number === 0 ? null : number - 1)

/** A record that consists of a head and a name, whose length is at the end of the head. */
function newRecord(head: number, name: string): Buffer {
  const bytes = Buffer.from(name)
  const record = Buffer.alloc(head + bytes.length)
  record.writeUInt16LE(bytes.length, head - 2)
  bytes.copy(record, head)
  return record
}

const lengthOf = (record: Buffer, head: number): number => head + record.readUInt16LE(head - 2)
const nameOf = (record: Buffer, head: number): string => record.toString('utf8', head, lengthOf(record, head))

const directoryBit = 1
const descriptorBit = 2
/** Marks an entry's record; the unused rest of a page is zeros. */
const entryBit = 4

function packEntry(facts: ZipFacts, folder: number | null): Buffer {
  const { name, isDirectory, modifiedAt, size, crc, hasDescriptor, offset } = facts
  const record = newRecord(entryHead, name)
  record.writeUIntLE(kept(folder), 0, 6)
  record.writeUIntLE(offset, 6, 6)
  record.writeUIntLE(size, 12, 6)
  record.writeDoubleLE(modifiedAt, 18)
  record.writeUInt32LE(crc, 26)
  record.writeUInt8(entryBit | (isDirectory ? directoryBit : 0) | (hasDescriptor ? descriptorBit : 0), 30)
  return record
}

const readEntry = (record: Buffer, folder: ZipFolder | null): ZipFacts => ({
  folder,
  name: nameOf(record, entryHead),
  isDirectory: (record.readUInt8(30) & directoryBit) > 0,
  modifiedAt: record.readDoubleLE(18),
  size: record.readUIntLE(12, 6),
  crc: record.readUInt32LE(26),
  hasDescriptor: (record.readUInt8(30) & descriptorBit) > 0,
  offset: record.readUIntLE(6, 6),
})

const isEntry = (record: Buffer): boolean => record.length > entryHead && (record.readUInt8(30) & entryBit) > 0

interface ZipDirectory {
  add(facts: ZipFacts): void
  count(): number
  /** All added entries, in order. */
  read(): Generator<ZipFacts>
}

export function openDirectory(): ZipDirectory {
  const [entries, folders] = [openPages(), openPages()]
  /** Positions of the folders that the walk still holds. */
  const places = new WeakMap<ZipFolder, number>()
  let count = 0
  let last: { place: number | null; folder: ZipFolder | null } = { place: null, folder: null }

  function keepFolder(folder: ZipFolder | null): number | null {
    if (folder === null) return null
    const known = places.get(folder)
    if (known !== undefined) return known
    const record = newRecord(folderHead, folder.name)
    record.writeUIntLE(kept(keepFolder(folder.parent)), 0, 6)
    const place = folders.add(record)
    places.set(folder, place)
    return place
  }

  function readFolder(place: number | null): ZipFolder | null {
    if (place === null) return null
    const record = folders.at(place)
    return { parent: readFolder(placeOf(record.readUIntLE(0, 6))), name: nameOf(record, folderHead) }
  }

  /** Reads an entry's folder; consecutive entries of one folder share one object. */
  function readSameFolder(place: number | null): ZipFolder | null {
    if (place !== last.place) last = { place, folder: readFolder(place) }
    return last.folder
  }

  return {
    add(facts) {
      entries.add(packEntry(facts, keepFolder(facts.folder)))
      count += 1
    },
    count: () => count,
    *read() {
      for (const start of entries.starts()) {
        for (let record = entries.at(start); isEntry(record); record = record.subarray(lengthOf(record, entryHead))) {
          yield readEntry(record, readSameFolder(placeOf(record.readUIntLE(0, 6))))
        }
      }
    },
  }
}
