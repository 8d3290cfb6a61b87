/** Creates and changes team folders. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { mayCall } from '../access/policy.ts'
import { refuseOutlasting } from '../access/refuse.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { defaultStorageQuota, maxSpaces } from '../api/limits.ts'
import type { createSpace as createEndpoint, updateSpace as updateEndpoint } from '../api/spaces.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { toFlag } from '../db/models/columns.ts'
import type { Recorder } from '../db/recorder.ts'
import { findAny, notAllowedHere } from '../files/find.ts'
import { nameColumns } from '../files/item-name.ts'
import { addToCounters } from '../files/space.ts'
import { findTeam, findTeams, type TeamRow } from './find.ts'
import { findAppointed, findManagersNamed, setManagers } from './managers.ts'

/** Adds the team folder itself, which is the one item at the top of its space. */
async function addFolder(db: Database, spaceId: number, ownerId: number, name: string): Promise<number> {
  const now = Date.now()
  await addToCounters(db, spaceId, 0, 1)
  return db.insert(db.files, {
    space_id: spaceId,
    owner_id: ownerId,
    parent_id: null,
    ...nameColumns(name, true),
    is_directory: 1,
    size: 0,
    modified_at: null,
    created_at: now,
    updated_at: now,
  })
}

/** Creates a team folder and returns the id of its space. Throws `not_found` for a manager, and `invalid_input`. */
export function createSpace(
  db: Database,
  actor: Principal,
  { name, storage_quota = defaultStorageQuota, ...named }: ParsedInputOf<typeof createEndpoint>,
): Promise<number> {
  return confirmedWrite(db, actor, async record => {
    const own = actor.userId === null ? [] : [actor.userId]
    const managers = await findAppointed(db, (await findManagersNamed(db, actor, named)) ?? own)
    const owner_id = managers[0]?.id
    if (owner_id === undefined) throw invalidField('manager_ids', 'Choose at least one manager')
    if ((await findTeams(db)).length >= maxSpaces) {
      throw invalidField('name', `There are ${maxSpaces} team folders, and more there cannot be: delete one first`)
    }
    const id = await db.insert(db.spaces, { kind: 'team', owner_id, storage_quota, created_at: Date.now() })
    const folder_id = await addFolder(db, id, owner_id, name)
    record('space.create', { id, spaceId: id }, { name, storage_quota })
    const ids = managers.map(manager => manager.id)
    await setManagers(db, record, actor, { id, folder_id, name }, ids)
    return id
  })
}

type UpdateInput = ParsedInputOf<typeof updateEndpoint>

/** Throws `not_found` if the actor neither sees the team folder nor manages all, and `forbidden` if they may do less. */
async function requireRights(db: Database, actor: Principal, team: TeamRow, input: UpdateInput): Promise<void> {
  // The person at the server's own terminal may do everything.
  if (actor.userId === null) return
  const managesAll = mayCall(actor, 'spaces:manage')
  const item = await findAny(db, actor, team.folder_id, 'see').catch(error => {
    if (managesAll && error instanceof AppError && error.code === 'not_found') return undefined
    throw error instanceof AppError && error.code === 'not_found' ? notFound('Team folder') : error
  })
  const changesFolder = input.name !== undefined || input.editors_may_link !== undefined
  const namesManagers = input.manager_ids !== undefined || input.manager_names !== undefined
  const changesTerms = input.storage_quota !== undefined || namesManagers
  const isManager = item?.standing.here.manage === true && mayCall(actor, 'files:share')
  if ((changesFolder && !isManager) || (changesTerms && !managesAll)) throw notAllowedHere()
  if (!isManager && !managesAll) throw notAllowedHere()
  // Links of editors, which have no end, work again.
  if (input.editors_may_link === true && team.editors_may_link === 0) refuseOutlasting(actor, null)
}

async function changeTerms(db: Database, record: Recorder, team: TeamRow, input: UpdateInput): Promise<void> {
  const { name = team.name, storage_quota, editors_may_link } = input
  const changed = {
    ...(name === team.name ? {} : { from: team.name }),
    ...(storage_quota === undefined || storage_quota === team.storage_quota ? {} : { storage_quota }),
    ...(editors_may_link === undefined || toFlag(editors_may_link) === team.editors_may_link
      ? {}
      : { editors_may_link }),
  }
  if (Object.keys(changed).length === 0) return record.nothing()
  const flag = editors_may_link === undefined ? undefined : toFlag(editors_may_link)
  await db.update(
    db.spaces,
    { storage_quota: storage_quota ?? team.storage_quota, ...(flag === undefined ? {} : { editors_may_link: flag }) },
    team.id,
  )
  if (name !== team.name) {
    await db.update(db.files, { ...nameColumns(name, true), updated_at: Date.now() }, team.folder_id)
  }
  record('space.update', { id: team.id, spaceId: team.id }, { name, ...changed })
}

/** Changes a team folder. Throws `not_found`, also for a new manager, and `forbidden`. */
export function updateSpace(db: Database, actor: Principal, input: UpdateInput): Promise<void> {
  return confirmedWrite(db, actor, async record => {
    await lockSpace(db, input.id)
    const team = await findTeam(db, input.id)
    await requireRights(db, actor, team, input)
    const managers = await findManagersNamed(db, actor, input)
    await changeTerms(db, record, team, input)
    if (managers !== undefined) {
      await setManagers(db, record, actor, { ...team, name: input.name ?? team.name }, managers)
    }
  })
}
