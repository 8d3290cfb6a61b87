/** The rows of links, with what they are on and who answers for them. */
import type { Database } from '../db/database.ts'
import { type Columns, selectNamed } from '../db/json-rows.ts'
import type { LinkRow } from '../db/models/links.ts'
import { isOneOfMany } from '../db/values.ts'
import type { HideableItem } from './policy.ts'
import { ownSpace, rolePermissions } from './sessions.ts'

/** The user who answers for a link; all are null if the user is gone. */
interface Maker {
  maker_id: number | null
  maker_name: string | null
  maker_full_name: string | null
  maker_is_active: 0 | 1 | null
  maker_space_id: number | null
  maker_permissions: string | null
}

/** The id of the user who answers for a link: its maker, or whose files they are once the maker is gone. */
export const makerIdOf = ({ maker_id, owner_id }: LinkAccount): number => maker_id ?? owner_id

/** A link with the columns of its item and the item's space. */
interface PlacedLink extends LinkRow, HideableItem {
  item_space_id: number
  item_name: string
  mime_type: string | null
  /** Bytes of a file. */
  size: number
  space_kind: 'personal' | 'team'
  editors_may_link: 0 | 1
}

/** A link with the columns of its item, the item's space and the user who answers for it, that decide whether it works. */
export interface LinkAccount extends PlacedLink, Maker {}

const linkShape: Columns<PlacedLink> = {
  id: 'l.id',
  space_id: 'l.space_id',
  item_id: 'l.item_id',
  token_hash: 'l.token_hash',
  token_sealed: 'l.token_sealed',
  level: 'l.level',
  label: 'l.label',
  password_hash: 'l.password_hash',
  created_by: 'l.created_by',
  created_at: 'l.created_at',
  expires_at: 'l.expires_at',
  max_downloads: 'l.max_downloads',
  max_bytes: 'l.max_bytes',
  ask_name: 'l.ask_name',
  is_active: 'l.is_active',
  opened: 'l.opened',
  downloads: 'l.downloads',
  uploads: 'l.uploads',
  bytes_in: 'l.bytes_in',
  last_used_at: 'l.last_used_at',
  visit_round: 'l.visit_round',
  item_space_id: 'f.space_id',
  item_name: 'f.name',
  is_directory: 'f.is_directory',
  mime_type: 'f.mime_type',
  size: 'f.size',
  deleted_at: 'f.deleted_at',
  trash_root_id: 'f.trash_root_id',
  validation_status: 'f.validation_status',
  owner_id: 'f.owner_id',
  content_by: 'f.content_by',
  received_by: 'f.received_by',
  space_kind: 'sp.kind',
  editors_may_link: 'sp.editors_may_link',
}

const makerShape: Columns<Maker> = {
  maker_id: 'u.id',
  maker_name: 'u.username',
  maker_full_name: 'u.full_name',
  maker_is_active: 'u.is_active',
  maker_space_id: ownSpace,
  maker_permissions: rolePermissions,
}

const nobody: Maker = {
  maker_id: null,
  maker_name: null,
  maker_full_name: null,
  maker_is_active: null,
  maker_space_id: null,
  maker_permissions: null,
}

const linkTables = 'FROM links l JOIN files f ON f.id = l.item_id JOIN spaces sp ON sp.id = f.space_id'

/** The link with a value in a column that is unique. */
export const findLinkBy = (
  db: Database,
  column: 'id' | 'token_hash',
  value: number | string,
): Promise<LinkAccount | undefined> =>
  db.row<LinkAccount>(
    `SELECT ${selectNamed({ ...linkShape, ...makerShape })} ${linkTables} LEFT JOIN users u ON u.id = l.created_by
     WHERE l.${column} = $1`,
    [value],
  )

async function findMakers(db: Database, ids: ReadonlySet<number>): Promise<ReadonlyMap<number | null, Maker>> {
  if (ids.size === 0) return new Map()
  const { condition, values } = isOneOfMany(db.dialect, 'u.id', [...ids])
  const makers = await db.page(makerShape, `FROM users u WHERE ${condition}`, values)
  return new Map(makers.map(maker => [maker.maker_id, maker]))
}

/**
 * The links of some rows `l`, about a thousand at most: `rest` is the condition and the order. Each user who answers for
 * some of them is read once.
 */
export async function findLinks(db: Database, rest: string, values: readonly number[]): Promise<LinkAccount[]> {
  const links = await db.page(linkShape, `${linkTables} WHERE ${rest}`, values)
  const makers = await findMakers(db, new Set(links.flatMap(({ created_by }) => created_by ?? [])))
  return links.map(link => Object.assign(link, makers.get(link.created_by) ?? nobody))
}
