/** `filestore admin space …`: the team folders. */
import { terminalActor } from '../../access/actor.ts'
import type { InputOf } from '../../api/endpoint.ts'
import * as api from '../../api/spaces.ts'
import { AppError } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Flags } from '../../config-options.ts'
import type { Database } from '../../db/database.ts'
import { deleteSpace as removeSpace } from '../../spaces/delete-space.ts'
import { findTeam, findTeams, type TeamRow } from '../../spaces/find.ts'
import { presentSpaces } from '../../spaces/present.ts'
import * as spaces from '../../spaces/spaces.ts'
import { withFiles, withRows } from '../open.ts'
import { findNamedTeam, findNamedUserIds } from './names.ts'

const present = (db: Database, rows: readonly TeamRow[]): Promise<api.Space[]> => presentSpaces(db, terminalActor, rows)

async function presentOne(db: Database, id: number): Promise<api.Space> {
  const [space] = await present(db, [await findTeam(db, id)])
  return space as api.Space
}

/** Returns all team folders, by name. */
export const listSpaces = (flags: Flags): Promise<api.Space[]> =>
  withRows(flags, async ({ db }) => present(db, await findTeams(db)))

interface SpaceInput extends Pick<InputOf<typeof api.updateSpace>, 'name' | 'storage_quota' | 'editors_may_link'> {
  /** The users who manage it, and nobody else. */
  managers?: readonly string[]
}

/** Creates a team folder. Throws `invalid_input`, and `not_found` for a manager. */
export const createSpace = (
  flags: Flags,
  { managers, ...input }: { name: string; storage_quota?: number; managers: readonly string[] },
): Promise<api.Space> =>
  withRows(flags, async ({ db }) => {
    const parsed = parseInput(api.createSpace.input, { ...input, manager_ids: await findNamedUserIds(db, managers) })
    return presentOne(db, await spaces.createSpace(db, terminalActor, parsed))
  })

/** Changes only the given properties. Throws `not_found`, also for a manager, and `invalid_input`. */
export const editSpace = (flags: Flags, name: string, { managers, ...changes }: SpaceInput): Promise<api.Space> =>
  withRows(flags, async ({ db }) => {
    const { id } = await findNamedTeam(db, name)
    const manager_ids = managers === undefined ? undefined : await findNamedUserIds(db, managers)
    const input = parseInput(api.updateSpace.input, { id, ...changes, manager_ids })
    await spaces.updateSpace(db, terminalActor, input)
    return presentOne(db, id)
  })

/** Returns the team folder that `deleteSpace` would delete. Throws `not_found`. */
export const checkDeletion = (flags: Flags, name: string): Promise<api.Space> =>
  withRows(flags, async ({ db }) => presentOne(db, (await findNamedTeam(db, name)).id))

function adviseOnFiles({ name }: api.Space, error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'in_use') throw error
  throw new AppError(error.code, `${name} is not empty: give --files delete to delete what is in it`, { cause: error })
}

/** Deletes a team folder. Returns the deleted one. Throws `not_found`, and `in_use` if there is something in it. */
export const deleteSpace = (flags: Flags, name: string, files: 'delete' | undefined): Promise<api.Space> =>
  withFiles(flags, async deps => {
    const space = await presentOne(deps.db, (await findNamedTeam(deps.db, name)).id)
    const input = parseInput(api.deleteSpace.input, { id: space.id, files })
    await removeSpace(deps, terminalActor, input).catch(error => adviseOnFiles(space, error))
    return space
  })
