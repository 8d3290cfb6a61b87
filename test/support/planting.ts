/** Plants trees of thousands of rows, which would take minutes over HTTP, and checks them. */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { newBlobKey } from '../../src/blobs/receive.ts'
import type { Database } from '../../src/db/database.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import type { Owner } from '../bench/place.ts'
import type { BuiltUser } from './factories.ts'
import type { TestServer } from './test-server.ts'

export async function ownerOf({ deps: { db } }: TestServer, user: BuiltUser): Promise<Owner> {
  const space = await db.row<{ id: number }>('SELECT id FROM spaces WHERE owner_id = $1', [user.id])
  if (space === undefined) throw new Error('a user without a space')
  return { userId: user.id, spaceId: space.id }
}

/** Runs one of the functions of test/bench/plant.ts for a user, in one write. */
export async function plant<T>(
  server: TestServer,
  user: BuiltUser,
  work: (db: Database, owner: Owner) => Promise<T>,
): Promise<T> {
  const owner = await ownerOf(server, user)
  const { db } = server.deps
  return db.write(systemActor, async record => {
    record.nothing()
    return work(db, owner)
  })
}

/** The number of a user's items: live, trashed, and trashed with a folder. */
export async function countItems({ deps: { db } }: TestServer, user: BuiltUser): Promise<number> {
  const row = await db.row<{ count: number }>('SELECT COUNT(*) AS count FROM files WHERE owner_id = $1', [user.id])
  return row?.count ?? 0
}

/** The differences between a user's counters and the sums over the rows, in a single query. */
export async function readMiscount({ deps: { db } }: TestServer, user: BuiltUser): Promise<object | undefined> {
  return db.row<object>(
    `SELECT s.storage_used - COALESCE((SELECT SUM(f.size) FROM files f WHERE f.space_id = s.id), 0) AS bytes,
       s.item_count - (SELECT COUNT(*) FROM files f WHERE f.space_id = s.id) AS items
     FROM spaces s WHERE s.owner_id = $1`,
    [user.id],
  )
}

export const expectTrueCounters = async (server: TestServer, user: BuiltUser): Promise<void> =>
  expect(await readMiscount(server, user)).toEqual({ bytes: 0, items: 0 })

/** Repeats a check until it holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise<void>(resolve => setImmediate(resolve))
}

/**
 * Records rename events of a user's file with the longest possible names; `to` ends with the number of the rename in
 * eight digits.
 */
export async function plantRenames(server: TestServer, user: BuiltUser, fileId: number, count: number) {
  const { db } = server.deps
  const nameOf = (n: number) => '"'.repeat(240) + String(n).padStart(8, '0')
  const actor = { userId: user.id, name: user.username, keyId: null, address: '127.0.0.1' }
  const { spaceId } = await ownerOf(server, user)
  for (let first = 0; first < count; first += 500) {
    await db.write(actor, async record => {
      for (let n = first; n < Math.min(count, first + 500); n++) {
        record('file.rename', { id: fileId, spaceId }, { from: nameOf(n - 1), to: nameOf(n) })
      }
    })
  }
}

/** Content that is too large for the row, so that it goes to the store. */
export const largeContent = (): Buffer => randomBytes(40 * 1024)

/** The first bytes of every WebP file. */
const thumbnail = 'RIFF\0\0\0\0WEBP'

/** Adds a thumbnail to a file's content, as if a user had viewed it; returns its key. */
export async function plantThumbnail({ deps: { db, store } }: TestServer, fileId: number): Promise<string> {
  const key = newBlobKey()
  await store.put(key, chunksOf(thumbnail))
  const [row] = await db.rows<{ blob_id: number; space_id: number; file_id: number }>(
    'SELECT blob_id, space_id, id AS file_id FROM files WHERE id = $1',
    [fileId],
  )
  if (row === undefined) throw new Error(`there is no file ${fileId}`)
  await db.touch(() => db.insertAll(db.thumbnails, [{ ...row, key, size: thumbnail.length, bytes: null }]))
  return key
}

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
