/** What the daily sweep asks the rows before it moves bytes to quarantine, and before it deletes them there. */
import { createHash } from 'node:crypto'
import { AppError, systemCode } from '../base/errors.ts'
import { sha256Of } from '../blobs/hash.ts'
import type { SweepRows } from '../blobs/sweep.ts'
import { isOneOf } from '../db/values.ts'
import type { Deps } from '../deps.ts'
import type { StoredBytes } from './item-row.ts'
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
  sha256: string
  /** The bytes beside the row. */
  bytes: StoredBytes | null
}

/** The contents that have one of some hashes, by the index and by the table itself. */
async function findHashed({ db }: SweepDeps, hashes: readonly string[]): Promise<HashedContent[]> {
  const sources = db.dialect === 'sqlite' ? ['', 'NOT INDEXED'] : ['']
  const found = sources.map(source =>
    db.rows<HashedContent>(
      `SELECT b.\`key\`, b.place, b.sha256, i.bytes
       FROM (SELECT * FROM \`blobs\` ${source} WHERE ${isOneOf('sha256', hashes)}) b
       LEFT JOIN blob_bytes i ON i.blob_id = b.id`,
      hashes,
    ),
  )
  return (await Promise.all(found)).flat()
}

/** Whether a content has its bytes where its row says. */
async function hasOwn({ store }: SweepDeps, { key, place, sha256, bytes }: HashedContent): Promise<boolean> {
  if (place === 'inline') return Buffer.isBuffer(bytes) && createHash('sha256').update(bytes).digest('hex') === sha256
  try {
    return (await sha256Of(await store.read(key))) === sha256
  } catch (error) {
    if (systemCode(error) === undefined || error instanceof AppError) throw error
    return false
  }
}

/**
 * What a sweep of the store asks the rows. Bytes are missed if a content has their SHA-256 and lacks its own, because they,
 * or the key or the place in its row, are damaged; and any may be, while a file names no content.
 */
export const openSweepRows = (deps: SweepDeps): SweepRows => ({
  isNamed: keys => findSweepKept(deps, keys),
  missed: {
    isAny: () => hasUnknownFile(deps.db),
    find: async hashes => {
      const missed = new Set<string>()
      for (const content of await findHashed(deps, hashes)) {
        if (!(await hasOwn(deps, content))) missed.add(content.sha256)
      }
      return missed
    },
  },
})
