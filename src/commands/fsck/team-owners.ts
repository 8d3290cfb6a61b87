/**
 * Checks that the owner of each team's storage is there. A user is deleted only after another manager has become the owner
 * (spaces/hand-over.ts), so the row of this one is lost.
 */
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import { systemActor } from '../../db/write-actor.ts'
import { findManagerIds } from '../../spaces/managers.ts'
import type { Check } from './finding.ts'
import { findTop, hasTeamFolder } from './teams.ts'

interface Team {
  id: number
  owner_id: number
}

const findOwnerless = (db: Database): Promise<Team[]> =>
  db.rows<Team>(
    `SELECT s.id, s.owner_id FROM spaces s LEFT JOIN users u ON u.id = s.owner_id
     WHERE s.kind = 'team' AND u.id IS NULL ORDER BY s.id`,
  )

/** The manager who becomes the owner, as where a user is deleted. */
async function findHeir(db: Database, id: number): Promise<number | undefined> {
  const top = await findTop(db, id)
  const [root] = hasTeamFolder(top) ? top : []
  return root === undefined ? undefined : (await findManagerIds(db, root.id))[0]
}

const mend = (db: Database, id: number): Promise<boolean> =>
  db.write(systemActor, async record => {
    record.nothing()
    await lockSpace(db, id)
    const isStill = (await findOwnerless(db)).some(team => team.id === id)
    const heir = await findHeir(db, id)
    if (!isStill || heir === undefined) return false
    await db.update(db.spaces, { owner_id: heir }, id)
    record('space.repair', { id, spaceId: id }, { columns: ['owner_id'] })
    return true
  })

export async function checkTeamOwners({ deps: { db }, disputed, report, signal }: Check): Promise<void> {
  for (const { id, owner_id } of await findOwnerless(db)) {
    signal.throwIfAborted()
    const hasHeir = !disputed.has(id) && (await findHeir(db, id)) !== undefined
    const way = hasHeir
      ? 'a manager of the team folder becomes the owner'
      : 'who is appointed as manager becomes the owner'
    const finding = {
      verdict: hasHeir ? 'repairable' : 'lost',
      problem: 'team-owner',
      name: `team space ${id}`,
      detail: `its owner, user ${owner_id}, is missing; ${way}`,
      space_id: id,
    } as const
    await report(finding, hasHeir ? () => mend(db, id) : undefined)
  }
}
