/**
 * The room that visitors' unfinished uploads hold: of a link's bytes, and beside a space's quota. They reserve nothing in
 * the quota, so they hold it against other visitors alone. Of a network that holds more than another one would with its
 * bytes, what is not sent, or too slowly, gives way to these.
 */
import type { Visitor } from '../access/actor.ts'
import { networkOf } from '../access/network.ts'
import { isInSpace } from '../access/reach.ts'
import { day, hour, minute, second } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { sqlNow } from '../db/database-time.ts'
import type { UploadRow } from '../db/models/uploads.ts'
import type { Deps } from '../deps.ts'
import { quotaExceeded } from './space.ts'
import { type DropDeps, deleteUpload, dropEnded, type EndedUpload } from './unfinished-uploads.ts'

/** Bytes a second of a slow line, by which what has come of an upload is judged. */
export const leastRate = 16 * 1024

/** ms after the beginning for which an upload may pause, and for which one that is being sent may be slow. */
const longestPause = hour
const longestSlowness = 10 * minute

/** Uploads that give way at once, and those of which they are chosen. */
const mostGivingWay = 10
const mostCandidates = 1000

/** An upload that gives way, as it was when it was chosen. */
export type LesserUpload = Pick<UploadRow, 'id' | 'received' | 'state'>
interface Candidate
  extends LesserUpload,
    Pick<UploadRow, 'link_id' | 'space_id' | 'length' | 'network' | 'created_at'> {
  is_being_sent: 0 | 1
  /** Bytes that its network holds beyond those that the newcomer's would hold. */
  excess: number
}

const linkExceeded = (): AppError => new AppError('quota_exceeded', 'This link takes no more files of this size')
const justChanged = (): AppError =>
  new AppError('unavailable', 'The uploads in the way have just changed, try again', { retryAfter: 1 })

/** Bytes that the unfinished uploads of a link may still bring. */
const heldByLink = (link: string): string =>
  `(SELECT COALESCE(SUM(x.length), 0) FROM uploads x WHERE x.link_id = ${link} AND x.state <> 'done')`

/** The same of all links into a space, without what uploads of an earlier version have reserved. By `uploads_space`. */
const heldInSpace = (space: string): string =>
  `(SELECT COALESCE(SUM(x.length - x.reserved), 0) FROM uploads x
    WHERE x.space_id = ${space} AND x.link_id IS NOT NULL AND x.state <> 'done')`

/** How many of so many further bytes a link has no room for; none if that is not above zero. */
async function findLackOfLink(db: Database, linkId: number, bytes: number): Promise<number> {
  const row = await db.row<{ lack: number }>(
    `SELECT bytes_in + $2 + ${heldByLink('$1')} - max_bytes AS lack FROM links WHERE id = $1 AND max_bytes IS NOT NULL`,
    [linkId, bytes],
  )
  return row?.lack ?? Number.NEGATIVE_INFINITY
}

/** The same of a space's quota, which is never too small for no bytes. */
async function findLackOfSpace(db: Database, spaceId: number, bytes: number): Promise<number> {
  if (bytes === 0) return 0
  const row = await db.row<{ lack: number }>(
    `SELECT storage_used + storage_reserved + $2 + ${heldInSpace('$1')} - storage_quota AS lack FROM spaces WHERE id = $1`,
    [spaceId, bytes],
  )
  return row?.lack ?? 0
}

/**
 * Whether an upload gives way to others' bytes: at once if nothing of it has come or comes now, and later if it comes more
 * slowly than 16 KB/s, or than it would need to be whole after a day.
 */
function isInTheWay({ received, length, created_at, is_being_sent }: Candidate, now: number): boolean {
  if (received === 0 && is_being_sent === 0) return true
  const age = now - created_at
  if (age < (is_being_sent === 1 ? longestSlowness : longestPause)) return false
  return received < age * Math.max(leastRate / second, length / day)
}

/**
 * The uploads, of a link or into a space, that may give way to so many bytes from a network: of networks that hold more
 * than it would hold with these. The longest first.
 */
async function findCandidates(
  db: Database,
  column: 'link_id' | 'space_id',
  id: number,
  { network, bytes, now }: Newcomer,
): Promise<Candidate[]> {
  const unfinished = `${column} = $1 AND link_id IS NOT NULL AND state <> 'done'`
  const rows = await db.rows<Candidate>(
    `SELECT x.id, x.received, x.state, x.link_id, x.space_id, x.length, x.network, x.created_at,
       CASE WHEN x.held_until > ${sqlNow(db.dialect)} THEN 1 ELSE 0 END AS is_being_sent,
       theirs.bytes - own.bytes - $3 AS excess
     FROM (SELECT COALESCE(SUM(length), 0) AS bytes FROM uploads WHERE ${unfinished} AND network = $2) own
     CROSS JOIN (SELECT network, SUM(length) AS bytes FROM uploads WHERE ${unfinished} GROUP BY network) theirs
     JOIN uploads x ON x.network = theirs.network
     WHERE x.${column} = $1 AND x.link_id IS NOT NULL AND x.state = 'open' AND x.received < x.length
       AND theirs.network <> $2 AND theirs.bytes > own.bytes + $3
     ORDER BY x.length DESC, x.created_at, x.id LIMIT ${mostCandidates}`,
    [id, network, bytes],
  )
  return rows.filter(row => isInTheWay(row, now))
}

/** Whose bytes need room. */
interface Newcomer {
  network: string
  bytes: number
  now: number
}

const lengthOf = (uploads: readonly Candidate[]): number => uploads.reduce((sum, { length }) => sum + length, 0)

/**
 * The first of the candidates that hold so many bytes together, or as many as may give way beside those taken before. A
 * network gives only until it holds no more than the newcomer's.
 */
function takeFirst(candidates: readonly Candidate[], lack: number, before: readonly Candidate[] = []): Candidate[] {
  const taken: Candidate[] = []
  for (const upload of candidates) {
    if (lengthOf(taken) >= lack || before.length + taken.length >= mostGivingWay) break
    const given = [...before, ...taken].filter(({ network }) => network === upload.network)
    if (upload.excess > lengthOf(given)) taken.push(upload)
  }
  return taken
}

/**
 * The uploads that give way to so many bytes of a visitor's, of the link and into the space; none where there is room.
 * Throws `quota_exceeded` of the link or of the space, without figures, if there would be too little room all the same.
 */
export async function findRoom(
  db: Database,
  { link, address }: Visitor,
  spaceId: number,
  bytes: number,
  now: number,
): Promise<Candidate[]> {
  const newcomer = { network: networkOf(address), bytes, now }
  const lackOfLink = await findLackOfLink(db, link.id, bytes)
  const ofLink = lackOfLink > 0 ? takeFirst(await findCandidates(db, 'link_id', link.id, newcomer), lackOfLink) : []
  if (lengthOf(ofLink) < lackOfLink) throw linkExceeded()
  const before = ofLink.filter(row => isInSpace({ spaceId }, row.space_id))
  const lack = (await findLackOfSpace(db, spaceId, bytes)) - lengthOf(before)
  if (lack <= 0) return ofLink
  const others = (await findCandidates(db, 'space_id', spaceId, newcomer)).filter(
    ({ id }) => !before.some(row => row.id === id),
  )
  const inSpace = takeFirst(others, lack, before)
  if (lengthOf(inSpace) < lack) throw quotaExceeded()
  return [...ofLink, ...inSpace]
}

/**
 * Returns what refuses more bytes of a visitor's file, which has `least` to `most`, than the link and the space may take
 * with those of the uploads that would give way to it: it throws `quota_exceeded` of the one or the other.
 */
export async function findMost(
  db: Database,
  { link, address }: Visitor,
  spaceId: number,
  { least, most }: { least: number; most: number },
  now: number,
): Promise<(bytes: number) => void> {
  const newcomer = { network: networkOf(address), bytes: least, now }
  // What would give way is looked for only where the file may need it.
  const withGiven = async (column: 'link_id' | 'space_id', id: number, free: number) =>
    free >= most
      ? free
      : free + lengthOf(takeFirst(await findCandidates(db, column, id, newcomer), Number.POSITIVE_INFINITY))
  const mostOfLink = await withGiven('link_id', link.id, 0 - (await findLackOfLink(db, link.id, 0)))
  // Of one byte, for a quota that is too small even for none takes empty files.
  const mostOfSpace = await withGiven('space_id', spaceId, 1 - (await findLackOfSpace(db, spaceId, 1)))
  return bytes => {
    if (bytes > mostOfLink) throw linkExceeded()
    if (bytes > Math.max(0, mostOfSpace)) throw quotaExceeded()
  }
}

/**
 * Inside a write: deletes the uploads that are chosen to give way. Returns them, for `dropGivenWay`. Chooses again if one
 * of them has ended or gone on since, and throws `unavailable` if that happens twice.
 */
export async function giveWay(db: Database, choose: () => Promise<readonly LesserUpload[]>): Promise<EndedUpload[]> {
  const ended: EndedUpload[] = []
  const endAll = async (): Promise<boolean> => {
    for (const { id, received, state } of await choose()) {
      const upload = await deleteUpload(db, id, row => row.received === received && row.state === state)
      if (upload === undefined) return false
      ended.push(upload)
    }
    return true
  }
  if (!(await endAll()) && !(await endAll())) throw justChanged()
  return ended
}

/** After the commit: drops the bytes of the uploads that gave way. Never throws. */
export async function dropGivenWay(deps: DropDeps & Pick<Deps, 'log'>, ended: readonly EndedUpload[]): Promise<void> {
  for (const upload of ended) {
    await dropEnded(deps, upload).catch(error => {
      deps.log.warn({ err: error }, 'the bytes of an upload that gave way stay until they are swept')
    })
  }
}

/**
 * Counts a file that came through a link. Throws `quota_exceeded`, without figures, if the link allows no more bytes beside
 * what unfinished uploads hold. Its write must hold the space's lock.
 */
export async function chargeLink(db: Database, linkId: number, bytes: number): Promise<void> {
  const changed = await db.change(
    `UPDATE links SET uploads = uploads + 1, bytes_in = bytes_in + $1, last_used_at = $2
     WHERE id = $3 AND (max_bytes IS NULL OR bytes_in + $1 + ${heldByLink('$3')} <= max_bytes)`,
    [bytes, Date.now(), linkId],
  )
  if (changed === 0) throw linkExceeded()
}
