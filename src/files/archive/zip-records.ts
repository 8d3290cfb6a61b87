/** Builds the records of a ZIP file, that is, all but the files' bytes (APPNOTE 6.3, sections 4.3 to 4.5). */

/** A folder of the archive. Its entries share it instead of each storing a path. */
export interface ZipFolder {
  /** Null at the archive's top. */
  parent: ZipFolder | null
  name: string
}

/** The data of an entry for its records. */
export interface ZipFacts {
  /** Null at the archive's top. */
  folder: ZipFolder | null
  name: string
  isDirectory: boolean
  /** ms, UTC. */
  modifiedAt: number
  size: number
  crc: number
  /** Whether the CRC follows the bytes, because it was not known before them. */
  hasDescriptor: boolean
  /** The offset of its local header. */
  offset: number
}

/** The values of a two-byte or four-byte field that mean: the real value is in a ZIP64 record. */
const max16 = 0xffff
const max32 = 0xffffffff

type Field = readonly [width: 2 | 4 | 8, value: number]

/** Packs numbers in little-endian order, one after the other. */
function pack(...fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0))
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else if (width === 4) buffer.writeUInt32LE(value, at)
    else buffer.writeUInt16LE(value, at)
    at += width
  }
  return buffer
}

/** An entry's path in UTF-8, with `/` between the parts and at the end of a folder's path. */
function pathOf({ folder, name, isDirectory }: ZipFacts): Buffer {
  const parts = [isDirectory ? `${name}/` : name]
  for (let above = folder; above !== null; above = above.parent) parts.push(`${above.name}/`)
  return Buffer.from(parts.reverse().join(''))
}

const isLarge = ({ size }: ZipFacts): boolean => size >= max32

const clamp16 = (value: number): number => Math.min(value, max16)
const clamp32 = (value: number): number => Math.min(value, max32)

/** Version 4.5 if the reader must support ZIP64, else 2.0. */
const versionNeeded = (needsZip64: boolean): number => (needsZip64 ? 45 : 20)
/** Made on Unix (so that readers use the mode), with version 4.5 of the format. */
const versionMadeBy = (3 << 8) | 45

/** Bit 11: the name is UTF-8. Bit 3: CRC and sizes follow the bytes. */
const flags = ({ hasDescriptor }: ZipFacts): number => (1 << 11) | (hasDescriptor ? 1 << 3 : 0)

const firstDosTime = Date.UTC(1980, 0, 1)
const lastDosTime = Date.UTC(2107, 11, 31, 23, 59, 58)

/** MS-DOS time and date, in UTC. Readers that know the extended timestamp ignore this field. */
function dosTime(ms: number): readonly [Field, Field] {
  const time = new Date(Math.min(Math.max(ms, firstDosTime), lastDosTime))
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  return [
    [2, (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)],
    [2, date],
  ]
}

/**
 * Info-ZIP's extended timestamp: seconds as a signed 32-bit number. Times after 2038 do not fit and get no timestamp.
 */
function timestampExtra(ms: number): Buffer {
  const seconds = Math.floor(ms / 1000)
  if (seconds !== (seconds | 0)) return Buffer.alloc(0)
  const extra = Buffer.alloc(9)
  extra.writeUInt16LE(0x5455, 0)
  extra.writeUInt16LE(5, 2)
  extra.writeUInt8(1, 4)
  extra.writeInt32LE(seconds, 5)
  return extra
}

const zip64Extra = (values: readonly number[]): Buffer =>
  values.length === 0
    ? Buffer.alloc(0)
    : pack([2, 0x0001], [2, values.length * 8], ...values.map((value): Field => [8, value]))

/** The header before an entry's bytes. If a descriptor follows, CRC and sizes are 0 here. */
export function localHeader(facts: ZipFacts): Buffer {
  const { modifiedAt, hasDescriptor } = facts
  const path = pathOf(facts)
  const size = hasDescriptor ? 0 : facts.size
  const extra = Buffer.concat([zip64Extra(isLarge(facts) ? [size, size] : []), timestampExtra(modifiedAt)])
  const sizeField: Field = [4, isLarge(facts) ? max32 : size]
  const head = pack(
    [4, 0x04034b50],
    [2, versionNeeded(isLarge(facts))],
    [2, flags(facts)],
    [2, 0],
    ...dosTime(modifiedAt),
    [4, hasDescriptor ? 0 : facts.crc],
    sizeField,
    sizeField,
    [2, path.length],
    [2, extra.length],
  )
  return Buffer.concat([head, path, extra])
}

/** The descriptor after an entry's bytes, with CRC and sizes. */
export function dataDescriptor(facts: ZipFacts): Buffer {
  const width = isLarge(facts) ? 8 : 4
  return pack([4, 0x08074b50], [4, facts.crc], [width, facts.size], [width, facts.size])
}

/** An entry's record in the central directory. */
export function centralRecord(facts: ZipFacts): Buffer {
  const { isDirectory, modifiedAt, size, offset } = facts
  const path = pathOf(facts)
  const isFar = offset >= max32
  const zip64 = zip64Extra([...(isLarge(facts) ? [size, size] : []), ...(isFar ? [offset] : [])])
  const extra = Buffer.concat([zip64, timestampExtra(modifiedAt)])
  const mode = isDirectory ? 0o040755 : 0o100644
  const head = pack(
    [4, 0x02014b50],
    [2, versionMadeBy],
    [2, versionNeeded(zip64.length > 0)],
    [2, flags(facts)],
    [2, 0],
    ...dosTime(modifiedAt),
    [4, facts.crc],
    [4, clamp32(size)],
    [4, clamp32(size)],
    [2, path.length],
    [2, extra.length],
    // No comment, the first disk, no internal attributes.
    [2, 0],
    [2, 0],
    [2, 0],
    // External attributes are the MS-DOS folder flag in the lower half, the Unix mode in the upper half.
    [2, isDirectory ? 0x10 : 0],
    [2, mode],
    [4, clamp32(offset)],
  )
  return Buffer.concat([head, path, extra])
}

/** Count, total size and offset of the central directory's records. */
interface DirectoryFacts {
  count: number
  size: number
  offset: number
}

/** The records at the end of the file: the two of ZIP64 if needed, then the one that every reader looks for. */
export function endRecords({ count, size, offset }: DirectoryFacts): Buffer {
  const end = pack(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, clamp16(count)],
    [2, clamp16(count)],
    [4, clamp32(size)],
    [4, clamp32(offset)],
    [2, 0],
  )
  if (count < max16 && size < max32 && offset < max32) return end
  const end64 = pack(
    [4, 0x06064b50],
    [8, 44],
    [2, versionMadeBy],
    [2, versionNeeded(true)],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, offset],
  )
  const locator = pack([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1])
  return Buffer.concat([end64, locator, end])
}
