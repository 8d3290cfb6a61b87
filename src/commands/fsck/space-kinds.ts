/** Checks what each space is: a user's own storage, or that of a team folder. */
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'
import { findClaimedTeams, isClaimedTeam } from './team-claims.ts'
import { findTop, hasTeamFolder } from './teams.ts'

type Kind = 'personal' | 'team'

interface SpaceKind {
  id: number
  /** Bytes, if the text became that: rows.ts makes it text again. */
  kind: string | Buffer | null
}

const unknown = `SELECT s.id, s.kind FROM spaces s WHERE (s.kind IS NULL OR s.kind NOT IN ('personal', 'team'))`

const isKnown = ({ kind }: SpaceKind): boolean => ['personal', 'team'].includes(String(kind))

interface Traces {
  id: number
  kind: string | Buffer | null
  /** Whether the owner has a storage of their own besides, or one that is as old as they are. */
  has_own: number
  /** Whether one of those is as old as the owner. */
  has_first: number
  /** A storage is as old as its user, unless fsck has made it. */
  is_as_old: number
  /** Only the folder of a team space has managers by shares. */
  is_managed: number
}

const traces = `SELECT s.id, s.kind, u.created_at = s.created_at AS is_as_old,
    EXISTS (SELECT 1 FROM spaces t WHERE t.owner_id = s.owner_id AND t.id <> s.id
      AND (t.kind = 'personal' OR t.created_at = u.created_at)) AS has_own,
    EXISTS (SELECT 1 FROM spaces t WHERE t.owner_id = s.owner_id AND t.id <> s.id AND t.created_at = u.created_at) AS has_first,
    EXISTS (SELECT 1 FROM shares h WHERE h.space_id = s.id AND h.level = 'manage') AS is_managed
  FROM spaces s JOIN users u ON u.id = s.owner_id`

const readTraces = (db: Database, id: number): Promise<Traces | undefined> =>
  db.row<Traces>(`${traces} WHERE s.id = $1`, [id])

/** What a space of unreadable kind is by all traces; undefined if they do not agree. */
async function findKind(db: Database, id: number): Promise<Kind | undefined> {
  const found = await readTraces(db, id)
  if (found === undefined) return undefined
  if (await isClaimedTeam(db, id)) return undefined
  if (found.has_own === 0) return found.is_managed === 0 ? 'personal' : undefined
  const isTeam = found.is_as_old === 0 && (found.is_managed === 1 || hasTeamFolder(await findTop(db, id)))
  return isTeam ? 'team' : undefined
}

/** Spaces whose kind is readable, and which some trace contradicts. Those that are a user's for certain come first. */
const suspects = `SELECT id FROM (${traces}) c
  WHERE (c.kind = 'team' AND (c.is_as_old = 1 OR (c.has_own = 0 AND c.is_managed = 0)))
    OR (c.kind = 'personal' AND c.is_as_old = 0 AND (c.is_managed = 1 OR c.has_first = 1))
  ORDER BY c.is_as_old DESC, c.id`

/** What the traces say against the kind of a space: another one if all do. Null: the kind is right. */
async function findOtherKind(db: Database, id: number): Promise<{ kind: Kind | undefined } | null> {
  const found = await readTraces(db, id)
  if (found === undefined) return null
  const { kind, has_own, has_first, is_as_old, is_managed } = found
  if (kind === 'team') {
    if (await isClaimedTeam(db, id)) return { kind: undefined }
    // A migration gives older team storages the time of their owners, who then have one of their own from the same time.
    if (is_as_old === 1 && has_first === 1 && hasTeamFolder(await findTop(db, id))) return null
    if (is_as_old === 1) return { kind: has_own === 0 && is_managed === 0 ? 'personal' : undefined }
    return has_own === 0 && is_managed === 0 ? { kind: undefined } : null
  }
  if (kind !== 'personal' || is_as_old === 1) return null
  const isTeam = hasTeamFolder(await findTop(db, id))
  if (is_managed === 1) return { kind: isTeam && has_own === 1 ? 'team' : undefined }
  return isTeam && has_first === 1 ? { kind: undefined } : null
}

interface WrongKind {
  id: number
  problem: string
  detail: string
  /** The right one; undefined if nobody knows it. */
  kind: Kind | undefined
  /** Whether the finding is still true, and the right kind the same. */
  isStill(): Promise<boolean>
}

/** What an administrator can do about a storage of which nobody knows whose it is. */
const lostWay = 'restore a backup, because until then nobody gets what is in it'

async function reportKind({ deps: { db }, disputed, report }: Check, found: WrongKind): Promise<void> {
  const { id, problem, detail, kind } = found
  const known =
    kind === undefined ? `nobody knows which it was: ${lostWay}` : `what belongs to it is that of kind '${kind}'`
  const finding = {
    verdict: kind === undefined ? 'lost' : 'repairable',
    problem,
    name: `spaces ${id}`,
    detail: `${detail}, and ${known}`,
    space_id: id,
  } as const
  // Until it is mended, it is neither joined with others nor opened to the members of a team.
  disputed.add(id)
  const repair = () =>
    db.write(systemActor, async record => {
      record.nothing()
      await lockSpace(db, id)
      if (kind === undefined || !(await found.isStill())) return false
      await db.update(db.spaces, { kind }, id)
      record('space.repair', { id, spaceId: id }, { columns: ['kind'] })
      disputed.delete(id)
      return true
    })
  await report(finding, kind === undefined ? undefined : repair)
}

/** Call it before what depends on the kind, and before users get spaces, which would hide what a space is. */
export async function checkSpaceKinds(check: Check): Promise<void> {
  const { db } = check.deps
  for (const { id } of (await db.rows<SpaceKind>(`${unknown} ORDER BY s.id`)).filter(space => !isKnown(space))) {
    check.signal.throwIfAborted()
    const kind = await findKind(db, id)
    const isStill = async () =>
      (await db.row(`${unknown} AND s.id = $1`, [id])) !== undefined && (await findKind(db, id)) === kind
    const detail = 'its kind is none of those that there are'
    await reportKind(check, { id, problem: 'row-value', detail, kind, isStill })
  }
  const contradicted = (await db.rows<{ id: number }>(suspects)).map(({ id }) => id)
  for (const id of new Set([...contradicted, ...(await findClaimedTeams(db))])) {
    check.signal.throwIfAborted()
    const found = await findOtherKind(db, id)
    if (found === null) continue
    const { kind } = found
    const isStill = async () => (await findOtherKind(db, id))?.kind === kind
    const detail = 'its kind is contradicted by its owner, its time, its managers or what is at its top'
    await reportKind(check, { id, problem: 'space-kind', detail, kind, isStill })
  }
}
