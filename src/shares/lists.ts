/** Lists shares: what a user receives, and what a user gives. */
import type { Actor } from '../access/actor.ts'
import { liveRow, shownRow } from '../access/policy.ts'
import { sharesOf } from '../access/share-sql.ts'
import { everything, type Standing } from '../access/standing.ts'
import type { OutputOf, ParsedInputOf } from '../api/endpoint.ts'
import type { FileItem } from '../api/items.ts'
import { maxPageSize, maxReceivedShares } from '../api/limits.ts'
import type { listGiven as givenEndpoint, ReceivedShare, listReceived as receivedEndpoint } from '../api/shares.ts'
import { isoTime, maybeIsoTime } from '../base/iso-time.ts'
import { decodeCursor, encodeCursor } from '../db/cursor.ts'
import type { Database } from '../db/database.ts'
import { joinInOrder } from '../db/join-in-order.ts'
import type { Columns } from '../db/json-rows.ts'
import type { ShareRow } from '../db/models/shares.ts'
import { type ItemRow, itemShape } from '../files/item-row.ts'
import { teamFolder } from '../files/places.ts'
import { presentItems } from '../files/present.ts'
import { addStandings } from '../files/surroundings.ts'
import { findGrantsOf } from './find.ts'
import { presentShare } from './present.ts'

/** A page of shares, the newest first: at most `count` with an id below `last`. */
interface Page {
  count: number
  last: number
}

function pageOf(list: string, { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined }): Page {
  const after = cursor === undefined ? [] : decodeCursor(cursor, [{ name: list, form: ['number'] }]).after
  return { count: limit ?? maxPageSize, last: Number(after?.[0] ?? Number.MAX_SAFE_INTEGER) }
}

const isTeamRoot = "sp.kind = 'team' AND f.parent_id IS NULL"

/** A share with its item. */
interface SharedRow extends ItemRow {
  share_id: number
}

type ReceivedRow = SharedRow & {
  level: ShareRow['level']
  given_at: number
  expires_at: number | null
  space_kind: 'personal' | 'team'
  owner: number
  owner_name: string
  /** The team folder; null in a personal space. */
  team: number | null
  team_name: string | null
  seen_at: number | null
  group_name: string | null
}

const giverOf = ({ space_kind, owner, owner_name, team, team_name }: ReceivedRow): ReceivedShare['from'] =>
  space_kind === 'team'
    ? { kind: 'team', id: team ?? 0, name: team_name ?? '' }
    : { kind: 'user', id: owner, name: owner_name }

const receivedShape: Columns<ReceivedRow> = {
  ...itemShape,
  share_id: 's.id',
  level: 's.level',
  given_at: 's.created_at',
  expires_at: 's.expires_at',
  space_kind: 'sp.kind',
  owner: 'sp.owner_id',
  // Not joined: MariaDB reads a table of few users whole, and then sorts all rows with their columns.
  owner_name: '(SELECT o.username FROM users o WHERE sp.owner_id = o.id)',
  team: teamFolder('id'),
  team_name: teamFolder('name'),
  seen_at: 'me.shares_seen_at',
  group_name: 'g.name',
}

/** The newest shares for a user that have effect, on items that are shown to them, without those of team folders. */
function findReceived(
  db: Database,
  { userId }: Actor,
  isHidden: boolean,
  { count, last }: Page,
): Promise<ReceivedRow[]> {
  const hidden = 'EXISTS (SELECT 1 FROM share_hides h WHERE h.share_id = s.id AND h.user_id = $1)'
  const { from, condition } = sharesOf(db, '$1', maxReceivedShares)
  return db.page(
    receivedShape,
    `FROM ${from} JOIN users me ON me.id = $1
       LEFT JOIN user_groups g ON g.id = s.group_id
     WHERE ${condition} AND (s.expires_at IS NULL OR s.expires_at > $2) AND s.id < $3
       AND NOT (${isTeamRoot}) AND NOT (sp.kind = 'personal' AND sp.owner_id = $1)
       AND ${liveRow} AND ${shownRow(everything, '$1')} AND ${isHidden ? '' : 'NOT '}${hidden}
     ORDER BY s.id DESC LIMIT ${count + 1}`,
    [userId, Date.now(), last],
  )
}

/**
 * Makes the entries of a page of shares; `undefined` leaves one out. The page ends early if the items do not fit in one
 * answer.
 */
async function presentPage<Row extends SharedRow, Entry>(
  db: Database,
  actor: Actor,
  rows: readonly Row[],
  { list, count }: { list: string; count: number },
  entryOf: (row: Row & { standing: Standing | null }, item: FileItem) => Entry | undefined,
): Promise<{ shares: Entry[]; next_cursor: string | null }> {
  const page = await addStandings(db, actor, rows.slice(0, count))
  const shown = await presentItems(db, actor, page)
  const items = new Map(shown.items.map(item => [item.id, item]))
  const last = rows.length > shown.read ? page[shown.read - 1] : undefined
  return {
    shares: page.slice(0, shown.read).flatMap(row => {
      const item = items.get(row.id)
      const entry = item === undefined ? undefined : entryOf(row, item)
      return entry === undefined ? [] : [entry]
    }),
    next_cursor: last === undefined ? null : encodeCursor(list, [last.share_id]),
  }
}

/** What is shared with the actor and shown to them, the newest first. Throws `invalid_input` for a foreign cursor. */
export async function listReceived(
  db: Database,
  actor: Actor,
  input: ParsedInputOf<typeof receivedEndpoint>,
): Promise<OutputOf<typeof receivedEndpoint>> {
  const list = input.hidden === true ? 'received hidden' : 'received'
  const page = pageOf(list, input)
  const rows = await findReceived(db, actor, input.hidden === true, page)
  return presentPage(db, actor, rows, { list, count: page.count }, (row, item) => ({
    id: row.share_id,
    item,
    level: row.level,
    from: giverOf(row),
    group: row.group_name,
    created_at: isoTime(row.given_at),
    expires_at: maybeIsoTime(row.expires_at),
    is_new: row.seen_at === null || row.given_at > row.seen_at,
  }))
}

/**
 * The shares on live items of the own tree, and those that the actor has given in team folders. The shares of either kind
 * come first: with one condition for both, all shares of the server would be read.
 */
const findGiven = (db: Database, { userId }: Actor, { count, last }: Page): Promise<SharedRow[]> =>
  db.page<SharedRow>(
    { ...itemShape, share_id: 's.id' },
    `FROM (SELECT own.id FROM spaces tree JOIN shares own ON own.space_id = tree.id
         WHERE tree.owner_id = $1 AND tree.kind = 'personal'
       UNION SELECT id FROM shares WHERE created_by = $1) mine
       ${joinInOrder[db.dialect]} shares s ON s.id = mine.id
       JOIN files f ON f.id = s.item_id JOIN spaces sp ON sp.id = f.space_id
     WHERE (sp.kind = 'team' OR sp.owner_id = $1)
       AND NOT (${isTeamRoot}) AND ${liveRow} AND ${shownRow(everything, '$1')} AND s.id < $2
     ORDER BY s.id DESC LIMIT ${count + 1}`,
    [userId, last],
  )

/** What the actor gives to others and may still change, the newest first. Throws `invalid_input` as `listReceived`. */
export async function listGiven(
  db: Database,
  actor: Actor,
  input: ParsedInputOf<typeof givenEndpoint>,
): Promise<OutputOf<typeof givenEndpoint>> {
  const page = pageOf('given', input)
  const rows = await findGiven(db, actor, page)
  const grants = new Map((await findGrantsOf(db, idsOf(rows))).map(grant => [grant.id, grant]))
  return presentPage(db, actor, rows, { list: 'given', count: page.count }, (row, item) => {
    const grant = grants.get(row.share_id)
    return grant === undefined || row.standing?.here.manage !== true ? undefined : presentShare(grant, item)
  })
}

const idsOf = (rows: readonly ItemRow[]): number[] => [...new Set(rows.map(({ id }) => id))]
