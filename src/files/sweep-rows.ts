/** What the daily sweep asks the rows before it moves bytes to quarantine, and before it deletes them there. */
import type { FindMissed, IsNamed } from '../blobs/blob-store.ts'
import type { SweepRows } from '../blobs/sweep.ts'
import { isOneOf } from '../db/values.ts'
import type { Deps } from '../deps.ts'
import { findKeptKeys } from './named-keys.ts'
import { hasUnknownFile } from './unknown-files.ts'

type SweepDeps = Pick<Deps, 'db' | 'leases' | 'store'>

const keyColumns = { blobs: 'key', file_thumbnails: 'key', uploads: 'blob_key' }

/**
 * The keys that are kept. Beside `findKeptKeys` it asks each index of keys and each table itself, whatever else a row
 * says: SQLite's pages have no checksum, and one changed bit in a row or an index must not cost a content its bytes.
 */
async function findSweepKept(deps: SweepDeps, keys: string[]): Promise<Set<string>> {
  const { db } = deps
  const kept = await findKeptKeys(deps, keys)
  const sources = db.dialect === 'sqlite' ? ['', 'NOT INDEXED'] : ['']
  for (const [table, column] of Object.entries(keyColumns)) {
    for (const source of sources) {
      const others = keys.filter(key => !kept.has(key))
      if (others.length === 0) return kept
      const query = `SELECT \`${column}\` AS \`key\` FROM \`${table}\` ${source} WHERE ${isOneOf(`\`${column}\``, others)}`
      for (const { key } of await db.rows<{ key: string }>(query, others)) kept.add(key)
    }
  }
  return kept
}

interface HashedContent {
  key: string
  place: 'inline' | 'store'
  size: number
  sha256: string
  /** Bytes beside the row; null when there are none. */
  inline_size: number | null
}

/** The contents that have one of some hashes, by the index and by the table itself. */
async function findHashed({ db }: SweepDeps, hashes: readonly string[]): Promise<HashedContent[]> {
  const sources = db.dialect === 'sqlite' ? ['', 'NOT INDEXED'] : ['']
  const found = sources.map(source =>
    db.rows<HashedContent>(
      `SELECT b.\`key\`, b.place, b.size, b.sha256, OCTET_LENGTH(i.bytes) AS inline_size
       FROM (SELECT * FROM \`blobs\` ${source} WHERE ${isOneOf('sha256', hashes)}) b
       LEFT JOIN blob_bytes i ON i.blob_id = b.id`,
      hashes,
    ),
  )
  return (await Promise.all(found)).flat()
}

/** Asks only once whether any file names no content, for that reads all files. */
function openMissed(deps: SweepDeps): FindMissed {
  let isAnyUnknown: boolean | undefined
  return async hashes => {
    isAnyUnknown ??= await hasUnknownFile(deps.db)
    if (isAnyUnknown) return new Set(hashes)
    const missed = new Set<string>()
    for (const { key, place, size, sha256, inline_size } of await findHashed(deps, hashes)) {
      const actual = place === 'inline' ? inline_size : await deps.store.size(key)
      if (actual !== size) missed.add(sha256)
    }
    return missed
  }
}

/**
 * What a sweep of the store asks the rows. Bytes are missed if a content has their SHA-256 and lacks its own, because its
 * row has a damaged key or place; and all are, while any file names no content.
 */
export function openSweepRows(deps: SweepDeps): SweepRows {
  const isNamed: IsNamed = keys => findSweepKept(deps, keys)
  return { isNamed, findMissed: openMissed(deps) }
}
