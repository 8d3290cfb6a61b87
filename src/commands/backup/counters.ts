/** Compares what storages say that they hold with the files in them, in the rows of a backup. */
import type { Row } from '../../db/tables.ts'

/** Bytes, and files and folders. */
interface Held {
  bytes: number
  items: number
}

/** By space. */
export type HeldBySpace = ReadonlyMap<number, Held>

function addHeld(to: Map<number, Held>, spaceId: number, { bytes, items }: Held): void {
  const held = to.get(spaceId) ?? { bytes: 0, items: 0 }
  to.set(spaceId, { bytes: held.bytes + bytes, items: held.items + items })
}

/** What some rows hold, all of them: those of files in their spaces. */
export function heldBy(table: string, rows: readonly Row[]): HeldBySpace {
  const held = new Map<number, Held>()
  if (table !== 'files') return held
  for (const { space_id, size } of rows) addHeld(held, Number(space_id), { bytes: Number(size), items: 1 })
  return held
}

/** What some rows of storages say; an older filestore's have no number of items. */
export const toldBy = (table: string, rows: readonly Row[]): HeldBySpace =>
  new Map(
    rows.flatMap(({ id, storage_used, item_count }) =>
      table === 'spaces' && Number.isSafeInteger(storage_used) && Number.isSafeInteger(item_count)
        ? [[Number(id), { bytes: Number(storage_used), items: Number(item_count) }] as const]
        : [],
    ),
  )

/** Collects both sides in any order. Needs some bytes for each space. */
export function openCounterCheck() {
  const all = new Map<number, Held>()
  const told = new Map<number, Held>()
  const isTrue = (id: number, { bytes, items }: Held): boolean => {
    const held = all.get(id) ?? { bytes: 0, items: 0 }
    return held.bytes === bytes && held.items === items
  }
  return {
    add(held: HeldBySpace, counters: HeldBySpace): void {
      for (const [id, some] of held) addHeld(all, id, some)
      for (const [id, counter] of counters) told.set(id, counter)
    },
    /** One sentence for each storage. */
    find: (): string[] =>
      [...told]
        .filter(([id, counter]) => !isTrue(id, counter))
        .map(([id]) => `spaces ${id}: its storage_used or item_count is not the sum over its files`),
  }
}
