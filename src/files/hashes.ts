/** The SHA-256 of the files on a page, for programs that compare them with their own. */
import type { Principal } from '../access/actor.ts'
import type { FileItem } from '../api/items.ts'
import type { Database } from '../db/database.ts'
import { isOneOfMany, valuesAtOnce } from '../db/values.ts'
import type { ItemRow } from './item-row.ts'
import { isOpenTo } from './present.ts'
import type { Seen } from './surroundings.ts'

type Hashed = FileItem & { sha256: string | null }

interface Hashes {
  /** Notes the contents of rows that are read for the page. */
  note(rows: readonly Seen<ItemRow>[]): void
  /** Adds to each file of the page the SHA-256 in hex; null for content that the viewer may not read. */
  addTo(files: readonly FileItem[]): Promise<Hashed[]>
}

export function openHashes(db: Database, viewer: Principal): Hashes {
  /** By file: the content that the page shows. It may be replaced before its hash is read. */
  const contents = new Map<number, number>()
  return {
    note: rows => {
      for (const row of rows) if (row.blob_id !== null && isOpenTo(viewer, row)) contents.set(row.id, row.blob_id)
    },
    addTo: async files => {
      const ids = [...new Set(files.flatMap(({ id }) => contents.get(id) ?? []))]
      const hashes = new Map<number, string>()
      for (let start = 0; start < ids.length; start += valuesAtOnce) {
        const { condition, values } = isOneOfMany(db.dialect, 'id', ids.slice(start, start + valuesAtOnce))
        const rows = await db.rows<{ id: number; sha256: string }>(
          `SELECT id, sha256 FROM blobs WHERE ${condition}`,
          values,
        )
        for (const { id, sha256 } of rows) hashes.set(id, sha256)
      }
      return files.map(file => ({ ...file, sha256: hashes.get(contents.get(file.id) ?? 0) ?? null }))
    },
  }
}
