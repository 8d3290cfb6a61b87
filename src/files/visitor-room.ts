/**
 * The room that visitors' unfinished uploads hold: of a link's bytes, and beside a space's quota. They reserve nothing in
 * the quota, so they hold it against other visitors alone. Slow ones give way to another network's bytes.
 */
import type { Visitor } from '../access/actor.ts'
import { networkOf } from '../access/network.ts'
import { isInSpace } from '../access/reach.ts'
import { day, second } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { UploadRow } from '../db/models/uploads.ts'
import type { Deps } from '../deps.ts'
import { type DropDeps, deleteUpload, dropEnded, type EndedUpload } from './unfinished-uploads.ts'

/** Bytes a second with which an upload keeps room in another's place; a slow line brings ten times as many. */
export const leastRate = 16 * 1024

/** ms after which an upload may be slow; what has come of it is counted every five seconds. */
const longestStart = 10 * second

/** Uploads that give way at once. */
const mostGivingWay = 10

/** An upload that gives way, as it was when it was chosen. */
export type LesserUpload = Pick<UploadRow, 'id' | 'received' | 'state'>
type Slow = LesserUpload & Pick<UploadRow, 'link_id' | 'space_id' | 'length' | 'network' | 'created_at'>

export const linkExceeded = (): AppError => new AppError('quota_exceeded', 'This link takes no more files of this size')

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
  return row?.lack ?? 0
}

/** The same of a space's quota. */
async function findLackOfSpace(db: Database, spaceId: number, bytes: number): Promise<number> {
  if (bytes === 0) return 0
  const row = await db.row<{ lack: number }>(
    `SELECT storage_used + storage_reserved + $2 + ${heldInSpace('$1')} - storage_quota AS lack FROM spaces WHERE id = $1`,
    [spaceId, bytes],
  )
  return row?.lack ?? 0
}

/** Whether an upload comes more slowly than 16 KB/s, or than it would need to be whole after a day. */
function isSlow({ state, received, length, created_at }: Slow, now: number): boolean {
  const age = now - created_at
  if (state === 'whole' || age < longestStart) return false
  return received < age * Math.max(leastRate / second, length / day)
}

/** The slow uploads of other networks, of a link or into a space, those first that hold the most for bytes to come. */
async function findSlow(
  db: Database,
  column: 'link_id' | 'space_id',
  id: number,
  network: string,
  now: number,
): Promise<Slow[]> {
  const rows = await db.rows<Slow>(
    `SELECT id, received, state, link_id, space_id, length, network, created_at FROM uploads
     WHERE ${column} = $1 AND link_id IS NOT NULL AND state <> 'done' ORDER BY length - received DESC, created_at, id`,
    [id],
  )
  return rows.filter(row => row.network !== network && isSlow(row, now))
}

const lengthOf = (uploads: readonly Slow[]): number => uploads.reduce((sum, { length }) => sum + length, 0)

/** As many of these uploads as hold so many bytes. Throws `quota_exceeded` if ten do not. */
function takeFirst(slow: readonly Slow[], lack: number): Slow[] {
  const taken: Slow[] = []
  for (const upload of slow.slice(0, mostGivingWay)) {
    if (lengthOf(taken) >= lack) break
    taken.push(upload)
  }
  if (lengthOf(taken) < lack) throw linkExceeded()
  return taken
}

/**
 * The uploads that give way to so many bytes of a visitor's, of the link and into the space; none where there is room.
 * Throws `quota_exceeded`, without figures, if there would be too little room all the same.
 */
export async function findRoom(
  db: Database,
  { link, address }: Visitor,
  spaceId: number,
  bytes: number,
  now: number,
): Promise<(LesserUpload & Pick<UploadRow, 'link_id'>)[]> {
  const network = networkOf(address)
  const lackOfLink = await findLackOfLink(db, link.id, bytes)
  const ofLink = lackOfLink > 0 ? takeFirst(await findSlow(db, 'link_id', link.id, network, now), lackOfLink) : []
  const lack =
    (await findLackOfSpace(db, spaceId, bytes)) - lengthOf(ofLink.filter(row => isInSpace({ spaceId }, row.space_id)))
  if (lack <= 0) return ofLink
  const others = (await findSlow(db, 'space_id', spaceId, network, now)).filter(
    ({ id }) => !ofLink.some(row => row.id === id),
  )
  return [...ofLink, ...takeFirst(others, lack)]
}

/** The most bytes that a link with a limit takes of a visitor now, with those that uploads hold which would give way. */
export async function findMostByLink(db: Database, { link: { id }, address }: Visitor, now: number): Promise<number> {
  const slow = await findSlow(db, 'link_id', id, networkOf(address), now)
  return lengthOf(slow.slice(0, mostGivingWay)) - (await findLackOfLink(db, id, 0))
}

/**
 * Inside a write: deletes the uploads that give way. Returns them, for `dropGivenWay`. Throws `quota_exceeded` if one of
 * them has ended or gone on since it was chosen.
 */
export async function giveWay(db: Database, uploads: readonly LesserUpload[]): Promise<EndedUpload[]> {
  const ended: EndedUpload[] = []
  for (const { id, received, state } of uploads) {
    const upload = await deleteUpload(db, id, row => row.received === received && row.state === state)
    if (upload === undefined) throw linkExceeded()
    ended.push(upload)
  }
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
