/** The unfinished uploads of a link, which its visitors' networks share: which one gives way to a newcomer's. */
import { minute, second } from '../base/clock.ts'
import { groupBy } from '../base/group-by.ts'
import type { Database } from '../db/database.ts'
import type { UploadRow } from '../db/models/uploads.ts'
import { type LesserUpload, leastRate } from '../files/visitor-room.ts'

type Unfinished = LesserUpload & Pick<UploadRow, 'network' | 'created_at'>

/** ms without any byte after which an upload gives way also where no network has more: its sender has left it. */
const longestWithoutByte = minute

/**
 * The upload that gives way to one from that network: of the network that has the most, if that is more than the
 * newcomer's would then, one that came slower than 16 KB/s, with the fewest bytes. Where no network has more, who has
 * none takes the place of one that has had no byte for a minute.
 */
export async function findLesserUpload(
  db: Database,
  linkId: number,
  network: string,
  now: number,
): Promise<LesserUpload | undefined> {
  const rows = await db.rows<Unfinished>(
    `SELECT id, network, received, state, created_at FROM uploads WHERE link_id = $1 AND state <> 'done'
     ORDER BY received, created_at, id`,
    [linkId],
  )
  const shares = groupBy(rows, row => row.network)
  const own = shares.get(network)?.length ?? 0
  const most = Math.max(0, ...[...shares.values()].map(({ length }) => length))
  const heaviest = rows.filter(row => row.network !== network && shares.get(row.network)?.length === most)
  if (most > own + 1) return heaviest.find(row => isBelowRate(row, now))
  return own === 0 ? heaviest.find(row => row.received === 0 && row.created_at < now - longestWithoutByte) : undefined
}

/** One that becomes a file now is not. */
const isBelowRate = ({ state, received, created_at }: Unfinished, now: number): boolean =>
  state !== 'whole' && received < (leastRate * (now - created_at)) / second
