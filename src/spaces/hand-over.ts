/** Hands team folders over when one of their managers is deleted. */
import type { Principal } from '../access/actor.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { Recorder } from '../db/recorder.ts'
import { addManager, findAppointed, findManagerIds } from './managers.ts'

interface LedRow {
  id: number
  folder_id: number
  name: string
  owner_id: number
}

/** The most team folders that the refusal names. */
const maxNamed = 5

/** The refusal names the field that says who takes over, which tells it from that of a user who owns files. */
function soleManager(names: readonly string[]): AppError {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  const told = names.slice(0, maxNamed).map(name => `'${name}'`)
  const message = `This user is the only manager of ${told.join(', ')}${more}`
  return new AppError('in_use', message, { fields: { spaces_to: message } })
}

/** The team folders that a user manages, or that are filed under the user. */
const findLed = (db: Database, userId: number): Promise<LedRow[]> =>
  db.rows<LedRow>(
    `SELECT sp.id, f.id AS folder_id, f.name, sp.owner_id FROM spaces sp
       JOIN files f ON f.space_id = sp.id AND f.live_parent = 0
     WHERE sp.kind = 'team' AND (sp.owner_id = $1 OR f.id IN (
       SELECT s.item_id FROM shares s WHERE s.user_id = $1 AND s.level = 'manage'))
     ORDER BY sp.id`,
    [userId],
  )

/**
 * Prepares the deletion of a user inside a write: team folders that nobody else manages go to the user `heirId`, and
 * those filed under the user to another manager. Throws `in_use` if there is no heir for one, and `not_found` for an
 * unknown or disabled heir.
 */
export async function handOverTeams(
  db: Database,
  record: Recorder,
  actor: Principal,
  userId: number,
  heirId: number | undefined,
): Promise<void> {
  const orphans: string[] = []
  for (const team of await findLed(db, userId)) {
    await lockSpace(db, team.id)
    const others = (await findManagerIds(db, team.folder_id)).filter(id => id !== userId)
    if (others.length === 0) {
      const [heir] = heirId === undefined || heirId === userId ? [] : await findAppointed(db, [heirId])
      if (heir === undefined) {
        orphans.push(team.name)
        continue
      }
      await addManager(db, record, actor, team, heir)
      others.push(heir.id)
    }
    if (team.owner_id === userId) await db.update(db.spaces, { owner_id: others[0] }, team.id)
  }
  if (orphans.length > 0) throw soleManager(orphans)
}
