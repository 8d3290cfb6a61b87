/** Limits the disk space of a space's thumbnails, which do not count towards the quota. */
import type { Database } from '../../db/database.ts'
import { isOneOf } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { sliceSize } from '../slices.ts'
import { findQuota } from '../space.ts'

/** The minimum limit in bytes, whatever the quota: a few thousand photos' thumbnails. */
const leastShare = 64 * 1024 ** 2
/** The limit as a part of the quota: a thumbnail has about a hundredth of the size of a 2 MB photo. */
const partOfQuota = 0.05

const shareOf = (quota: number): number => Math.max(leastShare, Math.floor(quota * partOfQuota))

interface OldRow {
  id: number
  /** Of its bytes in the store; null if it has none there. */
  key: string | null
  size: number
}

async function sumBytes(db: Database, spaceId: number): Promise<number> {
  const query = 'SELECT COALESCE(SUM(size), 0) AS bytes FROM file_thumbnails WHERE space_id = $1'
  return (await db.row<{ bytes: number }>(query, [spaceId]))?.bytes ?? 0
}

/** The oldest thumbnails of a space that together free the given bytes, at most one slice. */
async function findOldest(db: Database, spaceId: number, bytes: number): Promise<OldRow[]> {
  const rows = await db.rows<OldRow>(
    `SELECT id, CASE WHEN bytes IS NULL THEN \`key\` END AS \`key\`, size FROM file_thumbnails WHERE space_id = $1 ORDER BY id LIMIT ${sliceSize}`,
    [spaceId],
  )
  let freed = 0
  const end = rows.findIndex(({ size }) => {
    freed += size
    return freed >= bytes
  })
  return end < 0 ? rows : rows.slice(0, end + 1)
}

/** Deletes thumbnails. The rows go before the bytes, so that a crash leaves no row without bytes. */
async function forget({ db, removals }: Deps, rows: readonly OldRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await db.touch(() => db.change(`DELETE FROM file_thumbnails WHERE ${isOneOf('id', ids)}`, ids))
  await removals.add(rows.flatMap(({ key }) => (key === null ? [] : [{ key, namedAt: null }])))
}

/** Makes room for a thumbnail: when the space's limit is reached, deletes the oldest ones. */
type MakeRoom = (spaceId: number, bytes: number) => Promise<void>

export function openShares(deps: Deps): MakeRoom {
  const { db } = deps
  /** Bytes added per space since room was last made. */
  const added = new Map<number, number>()

  return async (spaceId, bytes) => {
    const share = shareOf((await findQuota(db, spaceId)).storage_quota)
    // Make room for several thumbnails at once, since adding up the sizes of a large space takes long.
    const reserve = share / 64
    const before = added.get(spaceId) ?? reserve
    if (before + bytes <= reserve) {
      added.set(spaceId, before + bytes)
      return
    }
    for (let surplus = (await sumBytes(db, spaceId)) + reserve - share; surplus > 0; ) {
      const rows = await findOldest(db, spaceId, surplus)
      if (rows.length === 0) break
      await forget(deps, rows)
      surplus -= rows.reduce((sum, { size }) => sum + size, 0)
    }
    added.set(spaceId, bytes)
  }
}
