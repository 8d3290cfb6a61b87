/** Describes the server: its version, database, contents, free space and nodes. */
import { liveRow } from '../access/policy.ts'
import type { SystemInfo } from '../api/system.ts'
import { isFull } from '../blobs/free-space.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { version } from '../version.ts'
import { listNodes } from './nodes.ts'

type Counts = SystemInfo['counts']

/** Counts rows. Bytes are as charged to users: each copy counts in full, although equal content is stored once. */
async function countRows(db: Database): Promise<Counts> {
  const counts = await db.row<Counts>(
    `SELECT (SELECT COUNT(*) FROM users) AS users,
      COALESCE(SUM(1 - is_directory), 0) AS files, COALESCE(SUM(is_directory), 0) AS folders,
      (SELECT COUNT(*) FROM files f WHERE f.validation_status = 'pending' AND ${liveRow}) AS pending,
      (SELECT COALESCE(SUM(storage_used), 0) FROM spaces) AS bytes
     FROM files`,
  )
  if (counts === undefined) throw new Error('the database does not count')
  return counts
}

export async function describeSystem({ db, freeSpace }: Deps): Promise<SystemInfo> {
  const [counts, disks, nodes] = await Promise.all([countRows(db), freeSpace.look(), listNodes(db)])
  const storage = disks.find(({ name }) => name === 'storage')
  return {
    version,
    database: db.dialect,
    free_bytes: storage?.free ?? null,
    min_free_bytes: storage?.floor ?? 0,
    full_disk: disks.find(isFull)?.name ?? null,
    counts,
    nodes,
  }
}
