/** Checks what each space is: a user's own storage, or that of a team folder. */
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'
import { findTop, hasTeamFolder } from './teams.ts'

interface SpaceKind {
  id: number
  /** Bytes, if the text became that: rows.ts makes it text again. */
  kind: string | Buffer | null
}

const unknown = `SELECT s.id, s.kind FROM spaces s WHERE (s.kind IS NULL OR s.kind NOT IN ('personal', 'team'))`

const isKnown = ({ kind }: SpaceKind): boolean => ['personal', 'team'].includes(String(kind))

interface Traces {
  /** Whether the owner has a storage of their own besides. */
  has_own: number
  /** A storage is as old as its user, unless fsck has made it. */
  is_as_old: number
  /** Only the folder of a team space has managers by shares. */
  is_managed: number
}

const traces = `SELECT u.created_at = s.created_at AS is_as_old,
    EXISTS (SELECT 1 FROM spaces t WHERE t.owner_id = s.owner_id AND t.kind = 'personal') AS has_own,
    EXISTS (SELECT 1 FROM shares h WHERE h.space_id = s.id AND h.level = 'manage') AS is_managed
  FROM spaces s JOIN users u ON u.id = s.owner_id WHERE s.id = $1`

/** What a space is by all traces; undefined if they do not agree. */
async function findKind(db: Database, id: number): Promise<'personal' | 'team' | undefined> {
  const found = await db.row<Traces>(traces, [id])
  if (found === undefined) return undefined
  if (found.has_own === 0) return found.is_managed === 0 ? 'personal' : undefined
  const isTeam = found.is_as_old === 0 && (found.is_managed === 1 || hasTeamFolder(await findTop(db, id)))
  return isTeam ? 'team' : undefined
}

/** Call it before users get spaces, which would hide what a space is. */
export async function checkSpaceKinds({ deps: { db }, report, signal }: Check): Promise<void> {
  const spaces = await db.rows<SpaceKind>(`${unknown} ORDER BY s.id`)
  for (const { id } of spaces.filter(space => !isKnown(space))) {
    signal.throwIfAborted()
    const kind = await findKind(db, id)
    const known = kind === undefined ? 'nobody knows which it was' : `what belongs to it is that of kind '${kind}'`
    const finding = {
      verdict: kind === undefined ? 'lost' : 'repairable',
      problem: 'row-value',
      name: `spaces ${id}`,
      detail: `its kind is none of those that there are, and ${known}`,
      space_id: id,
    } as const
    const repair = () =>
      db.write(systemActor, async record => {
        record.nothing()
        await lockSpace(db, id)
        const isUnknown = (await db.row(`${unknown} AND s.id = $1`, [id])) !== undefined
        if (!isUnknown || kind === undefined || (await findKind(db, id)) !== kind) return false
        await db.update(db.spaces, { kind }, id)
        record('space.repair', { id, spaceId: id }, { columns: ['kind'] })
        return true
      })
    await report(finding, kind === undefined ? undefined : repair)
  }
}
