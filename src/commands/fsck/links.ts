/** Checks each link: its space is that of its item, its item may have links, and its address matches the stored hash. */
import { hashToken } from '../../access/link-account.ts'
import type { Seal } from '../../access/seal.ts'
import { hexForm } from '../../blobs/blob-store.ts'
import type { Database } from '../../db/database.ts'
import type { LinkRow } from '../../db/models/links.ts'
import { readPages } from '../../db/read-on.ts'
import { systemActor } from '../../db/write-actor.ts'
import { endUploadsByLinks } from '../../files/unfinished-uploads.ts'
import { deleteVisitsOf } from '../../links/visits.ts'
import type { Check } from './finding.ts'
import { pausedLink } from './link-rules.ts'
import { nameItem } from './names.ts'
import { checkSecret, findOwnSeal } from './secret.ts'

interface CheckedLink extends Pick<LinkRow, 'id' | 'item_id' | 'token_hash' | 'token_sealed'> {
  /** The space of the item. */
  space_id: number
  is_misfiled: 0 | 1
  is_impossible: 0 | 1
  is_on_team_folder: 0 | 1
}

const query = `SELECT l.id, l.item_id, l.token_hash, l.token_sealed, f.space_id, l.space_id <> f.space_id AS is_misfiled,
    l.level IN ('upload', 'both') AND f.is_directory = 0 AS is_impossible,
    sp.kind = 'team' AND f.live_parent = 0 AS is_on_team_folder
  FROM links l JOIN files f ON f.id = l.item_id JOIN spaces sp ON sp.id = f.space_id`

export const impossibleLink = 'it takes uploads, and is on a file'
/** It would reach all of a team's files; no call makes one (links/find.ts). */
export const linkOnTeamFolder = 'it is on a team folder itself'

interface LinkProblem {
  problem: string
  detail: string
  isTrue(link: CheckedLink, seal: Seal | null): boolean
  /** The values that mend a link; null deletes it: it gives no access. */
  mend: ((link: CheckedLink, seal: Seal | null) => Partial<LinkRow>) | null
}

const tokenOf = ({ id, token_sealed }: CheckedLink, seal: Seal | null): string | null =>
  seal?.open('link', id, String(token_sealed)) ?? null

const problems: readonly LinkProblem[] = [
  {
    problem: 'link-space',
    detail: 'it is filed under another storage than that of its item, so it may have been to another item',
    isTrue: link => link.is_misfiled === 1,
    mend: ({ space_id }) => ({ space_id, is_active: 0 }),
  },
  {
    problem: 'link-level',
    detail: impossibleLink,
    isTrue: link => link.is_impossible === 1,
    mend: () => pausedLink,
  },
  {
    problem: 'link-on-team-folder',
    detail: linkOnTeamFolder,
    isTrue: link => link.is_on_team_folder === 1,
    mend: null,
  },
  {
    problem: 'link-hash',
    detail: 'it is not found by its address, so it does not work',
    isTrue: (link, seal) => {
      const token = tokenOf(link, seal)
      return token !== null && hashToken(token) !== link.token_hash
    },
    mend: (link, seal) => ({ token_hash: hashToken(tokenOf(link, seal) ?? '') }),
  },
  {
    problem: 'link-lost',
    detail: 'its address and its hash are both unreadable, so nobody can use it',
    isTrue: (link, seal) => seal !== null && tokenOf(link, seal) === null && !hexForm.test(link.token_hash),
    mend: null,
  },
  {
    problem: 'link-seal',
    detail: "the server's secret does not open its address, which cannot be shown again; it works",
    isTrue: (link, seal) =>
      seal !== null && link.token_sealed !== '' && tokenOf(link, seal) === null && hexForm.test(link.token_hash),
    mend: () => ({ token_sealed: '' }),
  },
]

const findLink = (db: Database, id: number): Promise<CheckedLink | undefined> =>
  db.row<CheckedLink>(`${query} WHERE l.id = $1`, [id])

/** Returns whether the link was mended. One that this run has mended is not deleted: its maker may look at it first. */
async function reportLink(
  { deps: { db }, disputed, report, unsettled }: Check,
  { problem, detail, isTrue, mend }: LinkProblem,
  { id, item_id, space_id }: CheckedLink,
  seal: Seal | null,
  isMended: boolean,
): Promise<boolean> {
  // The item may be what is in the wrong space, and its links tell whose it is.
  if (problem === 'link-space' && unsettled.has(space_id)) return isMended
  // It may be a user's own, and the link to a folder in it.
  if (problem === 'link-on-team-folder' && disputed.has(space_id)) return isMended
  const read = async () => {
    const link = await findLink(db, id)
    return link !== undefined && isTrue(link, seal) ? link : undefined
  }
  // The item and its links move to another space in one write, so look again.
  if ((await read()) === undefined) return isMended
  const name = `link ${id} to ${await nameItem(db, item_id)}`
  let isDone = isMended
  const repair = async () => {
    if (mend === null) await deleteVisitsOf(db, id)
    return db.write(systemActor, async record => {
      record.nothing()
      const current = await read()
      if (current === undefined) return false
      const columns = mend === null ? null : mend(current, seal)
      if (columns === null) {
        await endUploadsByLinks(db, 'l.id = $1', [id])
        await db.change('DELETE FROM links WHERE id = $1', [id])
      } else await db.update(db.links, columns, id)
      record('link.repair', { id: item_id }, { columns: Object.keys(columns ?? { id }) })
      isDone = true
      return true
    })
  }
  const finding = { verdict: 'repairable', problem, name, detail, file_id: item_id, space_id } as const
  await report(finding, mend === null && isMended ? undefined : repair)
  return isDone
}

const pageSize = 1000

/** Call it after the items are checked: a repaired item may be in another space. */
export async function checkLinks(check: Check): Promise<void> {
  await checkSecret(check)
  const { db } = check.deps
  const seal = await findOwnSeal(check.deps)
  const pages = readPages<CheckedLink>(db, {
    read: ([after]) => db.rows(`${query} WHERE l.id > $1 ORDER BY l.id LIMIT ${pageSize}`, [Number(after)]),
    keyOf: ({ id }) => [id],
    start: [0],
    size: pageSize,
  })
  for await (const links of pages) {
    check.signal.throwIfAborted()
    for (const link of links) {
      let isMended = false
      for (const problem of problems) {
        if (problem.isTrue(link, seal)) isMended = await reportLink(check, problem, link, seal, isMended)
      }
    }
  }
}
