/**
 * Counts the downloads through a link. Where they are limited, each is counted before its first byte, and gives the
 * browser a ticket: for 24 hours it may ask for the same content again, resume, and ask for ranges.
 */
import { deadLink } from '../access/link-account.ts'
import { hashSecret } from '../access/secrets.ts'
import type { FileBytes } from '../blobs/file-bytes.ts'
import { turnOfVisitors } from '../db/write-actor.ts'
import type { Deps } from '../deps.ts'
import type { GuestCall } from '../route.ts'
import { addVisit, findOwnVisit, hasVisit } from './visits.ts'

type CountDeps = Pick<Deps, 'db' | 'linkUse'>
type Visit = Pick<GuestCall<unknown>, 'link' | 'visit' | 'isUsedUp'>

/** A browser's ticket for a file's content; what replaces the content needs another one. */
const ticketOf = (visitHash: string, { sha256 }: FileBytes): string => hashSecret(`${visitHash} ${sha256}`)

/**
 * Counts a download of an item, and gives the ticket for a file's content; throws `not_found` if the link's downloads are
 * used up.
 */
export async function countDownload(
  { db, linkUse }: CountDeps,
  { link, visit }: Visit,
  itemId: number,
  file?: FileBytes,
): Promise<void> {
  if (link.max_downloads === null) return linkUse.note(link.id, 'downloads')
  // A cookie that matches no visit of this link may have been planted; ignore it.
  const hash = (await findOwnVisit(db, link.id, visit.hash)) ?? visit.begin()
  const isCounted = await db.touch(async () => {
    const changed = await db.change(
      `UPDATE links SET downloads = downloads + 1, last_used_at = $1
       WHERE id = $2 AND (max_downloads IS NULL OR downloads < max_downloads)`,
      [Date.now(), link.id],
    )
    if (changed !== 1) return false
    // By this the cookie is known again, at other items too.
    await addVisit(db, link, hash, itemId)
    if (file !== undefined) await addVisit(db, link, ticketOf(hash, file), itemId)
    return true
  }, turnOfVisitors(link.item_space_id))
  if (!isCounted) throw deadLink('used_up')
}

/** A file whose download is counted when its bytes are asked for. Throws `not_found` if the link is used up. */
export async function counted(deps: CountDeps, call: Visit, itemId: number, file: FileBytes): Promise<FileBytes> {
  const isLimited = call.link.max_downloads !== null
  const { hash } = call.visit
  const ticket = isLimited && hash !== null ? ticketOf(hash, file) : null
  const hasTicket = await hasVisit(deps.db, call.link, ticket, itemId)
  if (call.isUsedUp && !hasTicket) throw deadLink('used_up')
  if (hasTicket) return file
  /** Of an unlimited link the first bytes count: a player and a resumed download ask for the rest in pieces. */
  const count = async (start: number) => {
    if (isLimited || start === 0) await countDownload(deps, call, itemId, file)
  }
  return {
    ...file,
    open: async range => {
      await count(range?.start ?? 0)
      return file.open(range)
    },
    share: async range => {
      const place = await file.share(range)
      if (place !== null) await count(range?.start ?? 0)
      return place
    },
  }
}
