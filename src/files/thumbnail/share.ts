/** Keeps the thumbnails of a space to its share of the disk: no quota counts them. */
import type { Database } from '../../db/database.ts'
import { isOneOf } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { sliceSize } from '../slices.ts'
import { findQuota } from '../space.ts'

/** Bytes that the thumbnails of a space may take, whatever its quota: those of a few thousand photos. */
const leastShare = 64 * 1024 ** 2
/** The same as a part of its quota: the thumbnail of a photo of 2 MB has about a hundredth of its bytes. */
const partOfQuota = 0.05

const shareOf = (quota: number): number => Math.max(leastShare, Math.floor(quota * partOfQuota))

interface OldRow {
  id: number
  key: string | null
  size: number
}

async function sumBytes(db: Database, spaceId: number): Promise<number> {
  const query = 'SELECT COALESCE(SUM(size), 0) AS bytes FROM space_thumbnails WHERE space_id = $1'
  return (await db.row<{ bytes: number }>(query, [spaceId]))?.bytes ?? 0
}

/** The oldest thumbnails of a space, as many as make so much room, or a slice of them. */
async function findOldest(db: Database, spaceId: number, bytes: number): Promise<OldRow[]> {
  const rows = await db.rows<OldRow>(
    `SELECT id, \`key\`, size FROM space_thumbnails WHERE space_id = $1 ORDER BY id LIMIT ${sliceSize}`,
    [spaceId],
  )
  let freed = 0
  const end = rows.findIndex(({ size }) => {
    freed += size
    return freed >= bytes
  })
  return end < 0 ? rows : rows.slice(0, end + 1)
}

/** Forgets some thumbnails; their bytes go after their rows, so a crash leaves nothing that leads nowhere. */
async function forget({ db, removals }: Deps, rows: readonly OldRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await db.touch(() => db.change(`DELETE FROM space_thumbnails WHERE ${isOneOf('id', ids)}`, ids))
  await removals.add(rows.flatMap(({ key }) => (key === null ? [] : [key])))
}

/** Makes room for a thumbnail of so many bytes: where a space's share is taken, the oldest of its thumbnails go. */
type MakeRoom = (spaceId: number, bytes: number) => Promise<void>

export function openShares(deps: Deps): MakeRoom {
  const { db } = deps
  /** Spaces → bytes that have come since room was made. */
  const added = new Map<number, number>()

  return async (spaceId, bytes) => {
    const share = shareOf((await findQuota(db, spaceId)).storage_quota)
    // Room for some more at once: reading what there is takes as long as there is much, and comes that much less often.
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
