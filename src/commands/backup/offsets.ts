/** Maps contents' SHA-256 to their position in a file, in 32 bytes each: a Map of strings takes five times as much. */
import { hexForm } from '../../blobs/blob-store.ts'

interface Extent {
  /** Bytes. */
  offset: number
  size: number
}

/** An entry has four numbers: 48 bits of the hash twice, the offset, and the size, which is never 0. */
const fields = 4
const firstSlots = 1024

/** The first 96 bits of the hash; two contents that share them do not occur in practice. */
function keyOf(sha256: string): [number, number] {
  const bytes = Buffer.from(sha256.slice(0, 24), 'hex')
  return [bytes.readUIntBE(0, 6), bytes.readUIntBE(6, 6)]
}

/** The slot of a key, or the free one where it belongs: open addressing, linear probing. */
function findSlot(table: Float64Array, [high, low]: [number, number]): number {
  const slots = table.length / fields
  for (let slot = high % slots; ; slot = (slot + 1) % slots) {
    const at = slot * fields
    if (table[at + 3] === 0 || (table[at] === high && table[at + 1] === low)) return at
  }
}

/** Doubles the slots, and rehashes every key. */
function grow(table: Float64Array) {
  const larger = new Float64Array(table.length * 2)
  for (let at = 0; at < table.length; at += fields) {
    const entry = table.subarray(at, at + fields)
    if (entry[3] !== 0) larger.set(entry, findSlot(larger, [entry[0] ?? 0, entry[1] ?? 0]))
  }
  return larger
}

/** A size of 0 marks a free slot, because contents have at least one byte. */
export function openOffsets() {
  let table: Float64Array = new Float64Array(firstSlots * fields)
  let count = 0
  return {
    add(sha256: string, { offset, size }: Extent): void {
      if (count * fields * 2 >= table.length) table = grow(table)
      const key = keyOf(sha256)
      const at = findSlot(table, key)
      if (table[at + 3] === 0) count += 1
      table.set([...key, offset, size], at)
    },
    find(sha256: string): Extent | undefined {
      // The row of a content or the manifest may be damaged, and what is no hash is that of no content.
      if (!hexForm.test(sha256)) return undefined
      const at = findSlot(table, keyOf(sha256))
      const [, , offset = 0, size = 0] = table.subarray(at, at + fields)
      return size === 0 ? undefined : { offset, size }
    },
  }
}
