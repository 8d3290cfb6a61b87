/** Plants large folders directly in the database. */
import { createHash } from 'node:crypto'
import { newBlobKey } from '../../src/blobs/receive.ts'
import type { Database } from '../../src/db/database.ts'
import type { NewFile } from '../../src/db/models/files.ts'
import { saveBlob } from '../../src/files/content.ts'
import { nameColumns } from '../../src/files/item-name.ts'
import { charge } from '../../src/files/space.ts'
import type { Owner } from './place.ts'

/** Rows in one INSERT. */
const batchSize = 1000
/** One entry of this many is a folder. */
const entriesPerFolder = 10
/** The content of every planted file, which is stored once. */
const content = Buffer.from('A planted file.\n')

const rowOf = (owner: Owner, parentId: number | null, name: string, blobId: number | null): NewFile => ({
  space_id: owner.spaceId,
  owner_id: owner.userId,
  parent_id: parentId,
  ...nameColumns(name, blobId === null),
  is_directory: blobId === null ? 1 : 0,
  size: blobId === null ? 0 : content.length,
  blob_id: blobId,
  modified_at: null,
  created_at: Date.now(),
  updated_at: Date.now(),
})

/** Adds an empty folder (`parentId` null for the root); returns its id. */
export async function plantFolder(db: Database, owner: Owner, parentId: number | null, name: string): Promise<number> {
  await charge(db, owner.spaceId, 0, 1)
  return db.insert(db.files, rowOf(owner, parentId, name, null))
}

/** The name of the entry at an index of its folder. */
type NameOf = (index: number, isFolder: boolean) => string

const plainName: NameOf = (index, isFolder) => (isFolder ? `Project ${index}` : `Report ${index} of the year.pdf`)

/** Fills a folder with `count` entries, a tenth of them folders and the others files. */
export async function plantEntries(
  db: Database,
  owner: Owner,
  parentId: number,
  count: number,
  nameOf = plainName,
): Promise<void> {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const blob = await saveBlob(db, { key: newBlobKey(), size: content.length, sha256, inline: content })
  for (let start = 0; start < count; start += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - start) }, (_, offset) => {
      const isFolder = (start + offset) % entriesPerFolder === 0
      return rowOf(owner, parentId, nameOf(start + offset, isFolder), isFolder ? null : blob.id)
    })
    const bytes = rows.reduce((sum, { size }) => sum + size, 0)
    await charge(db, owner.spaceId, bytes, rows.length)
    await db.insertAll(db.files, rows)
  }
}

/** Plants a folder in the root with `count` items below it, in subfolders of a thousand; returns its id. */
export async function plantTree(db: Database, owner: Owner, name: string, count: number): Promise<number> {
  const root = await plantFolder(db, owner, null, name)
  for (let planted = 0; planted < count; planted += batchSize) {
    const folder = await plantFolder(db, owner, root, `Year ${planted / batchSize}`)
    await plantEntries(db, owner, folder, Math.min(batchSize, count - planted) - 1)
  }
  return root
}
