/** Builds the API form of links: only fields listed here leave the server. */
import type { Principal } from '../access/actor.ts'
import { findReasons } from '../access/link-account.ts'
import type { LinkAccount } from '../access/link-rows.ts'
import { isLive, mayCall, mayGiveExpiry, mayGiveLevel } from '../access/policy.ts'
import { findSharing } from '../access/sharing-settings.ts'
import type { Standing } from '../access/standing.ts'
import type { FileItem } from '../api/items.ts'
import type { Link } from '../api/links.ts'
import { isoTime, maybeIsoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { findRowsById } from '../files/find.ts'
import { presentItems } from '../files/present.ts'
import { addStanding } from '../files/surroundings.ts'
import { keepTheirs } from './find.ts'

type LinkDeps = Pick<Deps, 'db' | 'seal' | 'config'>

const madeBy = ({ maker_id, maker_name, maker_full_name }: LinkAccount): Link['made_by'] =>
  maker_id === null ? null : { id: maker_id, username: maker_name ?? '', full_name: maker_full_name }

/** The fields that tell nothing of what the link is on. */
function presentTerms(link: LinkAccount, reason: Link['reason']): Link {
  return {
    id: link.id,
    item_id: link.item_id,
    item: null,
    token: null,
    url: null,
    level: link.level,
    label: link.label,
    has_password: link.password_hash !== null,
    expires_at: maybeIsoTime(link.expires_at),
    max_downloads: link.max_downloads,
    max_bytes: link.max_bytes,
    ask_name: link.ask_name === 1,
    is_active: link.is_active === 1,
    opened: link.opened,
    downloads: link.downloads,
    uploads: link.uploads,
    bytes_in: link.bytes_in,
    last_used_at: maybeIsoTime(link.last_used_at),
    created_at: isoTime(link.created_at),
    works: reason === null,
    reason,
    made_by: madeBy(link),
  }
}

/** Links without what they are on and where they are, for who administers all of them. */
export async function presentForAdmin(db: Database, links: readonly LinkAccount[]): Promise<Link[]> {
  const settings = await findSharing(db)
  const reasons = await findReasons(db, links, settings)
  return links.map(link => presentTerms(link, reasons.get(link) ?? null))
}

/** The links' items by id, as the viewer sees them; without those in the trash, which only its list shows. */
async function findItems(
  db: Database,
  viewer: Principal,
  theirs: ReadonlyMap<LinkAccount, Standing>,
): Promise<ReadonlyMap<number, FileItem>> {
  const standings = new Map([...theirs].map(([{ item_id }, standing]) => [item_id, standing]))
  const rows = [...(await findRowsById(db, [...standings.keys()])).values()].flatMap(row => {
    const standing = standings.get(row.id)
    return standing === undefined || !isLive(row) ? [] : [addStanding(row, standing)]
  })
  return new Map((await presentItems(db, viewer, rows)).items.map(item => [item.id, item]))
}

const itemOf = ({ name, path, is_directory, mime_type }: FileItem): Link['item'] => ({
  name,
  path,
  is_directory,
  mime_type,
})

/** Links as the viewer sees them: those that they may not change come without their item and address. */
export async function presentLinks(
  { db, seal, config }: LinkDeps,
  viewer: Principal,
  links: readonly LinkAccount[],
): Promise<Link[]> {
  if (links.length === 0) return []
  const [settings, theirs, { open }] = await Promise.all([findSharing(db), keepTheirs(db, viewer, links), seal()])
  const [items, reasons] = await Promise.all([findItems(db, viewer, theirs), findReasons(db, links, settings)])
  return links.map(link => {
    const terms = presentTerms(link, reasons.get(link) ?? null)
    if (!theirs.has(link)) return terms
    // By its address a key could do what it may not, or go on after its end.
    const maySee = mayGiveLevel(viewer, link.level) && mayGiveExpiry(viewer, link.expires_at)
    const token = maySee ? open('link', link.id, link.token_sealed) : null
    const item = mayCall(viewer, 'files:read') ? items.get(link.item_id) : undefined
    return {
      ...terms,
      item: item === undefined ? null : itemOf(item),
      token,
      url: token === null ? null : `${config.publicUrl ?? ''}/s/${token}`,
    }
  })
}
