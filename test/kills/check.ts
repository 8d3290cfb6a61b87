/** Checks after a kill and a restart: acknowledged changes exist, and nothing else does. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { day } from '../../src/base/clock.ts'
import { openStore } from '../../src/blobs/open-store.ts'
import { sweep } from '../../src/blobs/sweep.ts'
import type { Config } from '../../src/config.ts'
import type { Database } from '../../src/db/database.ts'
import { findNamedKeys } from '../../src/files/named-keys.ts'
import type { TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { nothingMissed } from '../support/nothing-missed.ts'
import type { KnownFile, Place, World } from './lanes.ts'

interface FoundFile {
  id: number
  name: string
  parent_id: number | null
  deleted_at: number | null
  trash_root_id: number | null
}

const findFiles = (db: Database): Promise<FoundFile[]> =>
  db.rows<FoundFile>('SELECT id, name, parent_id, deleted_at, trash_root_id FROM files WHERE is_directory = 0')

const placeOf = (row: FoundFile | undefined): Place => {
  if (row === undefined) return 'gone'
  return row.deleted_at === null && row.trash_root_id === null ? (row.parent_id ?? 0) : 'trash'
}

/** Accepts the found state where a cut-off change allows it, and reports it otherwise. */
function settle(file: KnownFile, row: FoundFile | undefined): string[] {
  const found = placeOf(row)
  const { place, orIn = place } = file
  file.place = found
  delete file.orIn
  return found === place || found === orIn ? [] : [`${file.name} is in ${found}, not in ${place} or ${orIn}`]
}

async function hashOf(client: TestClient, id: number): Promise<string> {
  const response = await client.raw(`/api/files/${id}/download`)
  expect(response.status).toBe(200)
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')
}

/** Files in another place than acknowledged, files that were never sent, and files with other content. */
export async function findWrongFiles(world: World, db: Database, client: TestClient): Promise<string[]> {
  const rows = new Map((await findFiles(db)).map(row => [row.id, row]))
  const wrong = [...world.files].flatMap(([id, file]) => settle(file, rows.get(id)))
  for (const row of rows.values()) {
    const file = world.unanswered.get(row.name)
    if (world.files.has(row.id)) continue
    if (file === undefined) wrong.push(`nobody sent ${row.name}`)
    else world.files.set(row.id, { ...file, place: placeOf(row), orIn: undefined })
  }
  world.unanswered.clear()
  for (const [id, { place, name, sha256 }] of world.files) {
    if (place === 'gone') world.files.delete(id)
    if (typeof place === 'number' && (await hashOf(client, id)) !== sha256) wrong.push(`${name} has other bytes`)
  }
  return wrong
}

/** Contents that are missing from the store or incomplete. */
async function findLostBlobs(config: Config, db: Database): Promise<string[]> {
  const store = await openStore(config)
  const blobs = await db.rows<{ key: string; size: number }>("SELECT `key`, size FROM blobs WHERE place = 'store'")
  const lost: string[] = []
  for (const { key, size } of blobs) if ((await store.size(key)) !== size) lost.push(key)
  return lost
}

export async function expectWhole(config: Config, db: Database): Promise<void> {
  expect(await findMiscounts(db)).toEqual([])
  expect(await findLostBlobs(config, db)).toEqual([])
  const unnamed = 'SELECT id FROM blobs b WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.blob_id = b.id)'
  expect(await db.rows(unnamed)).toEqual([])
}

/** Sweeps the store as of two days later, and returns how many keys had no row. */
export async function sweepLater(config: Config, db: Database): Promise<number> {
  const store = await openStore(config)
  const rows = { isNamed: (keys: string[]) => findNamedKeys(db, keys), missed: nothingMissed }
  const { quarantined } = await sweep(store, rows, Date.now() + 2 * day)
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  const named = await db.rows<{ key: string }>("SELECT `key` FROM blobs WHERE place = 'store'")
  expect(keys.sort()).toEqual(named.map(({ key }) => key).sort())
  return quarantined
}
