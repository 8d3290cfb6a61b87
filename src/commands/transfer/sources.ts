/** The trees that an export writes: each user's, and each team folder. */
import { nameProblem } from '../../api/names.ts'
import type { AppError } from '../../base/errors.ts'
import { readPages } from '../../db/read-on.ts'
import type { Deps } from '../../deps.ts'
import { findTeams, type TeamRow } from '../../spaces/find.ts'
import { findTagNames } from '../../tags/find.ts'
import { findUsers, type ProfileRow } from '../../users/find.ts'
import { tellAudit } from '../tell-audit.ts'
import type { DetailsHead } from './details.ts'

const usersAtOnce = 100

export interface Source {
  /** Exactly one of the two is set. */
  username: string | null
  team: string | null
  /** The name of its folder in the export. */
  folder: string
  /** Whose tags its items get; null for a team folder, because tags are each user's own. */
  userId: number | null
  spaceId: number
  /** The folder whose contents are the tree; null is the root of the space. */
  rootId: number | null
  tags: DetailsHead['tags']
  /** Records the export; returns an error to print if that fails. */
  tell(detail: { folder: string; files: number; bytes: number }): Promise<AppError | null>
}

/**
 * Returns the username if it can be a folder's name, otherwise the id as `id:7`. These never clash, because a username
 * that begins with `id:` or `team:` is not used as a folder's name.
 */
const userFolder = ({ id, username }: ProfileRow): string =>
  nameProblem(username) === null && !/^(id|team):/.test(username) ? username : `id:${id}`

export async function openUserSource({ db }: Deps, user: ProfileRow): Promise<Source> {
  const { id, username, space_id: spaceId } = user
  return {
    ...{ username, team: null, folder: userFolder(user), userId: id, spaceId, rootId: null },
    tags: (await findTagNames(db, id)).map(({ name, color }) => ({ name, color })),
    tell: detail => tellAudit(db, 'user.export', id, { username, ...detail }),
  }
}

async function* findAllUsers({ db }: Deps): AsyncGenerator<ProfileRow> {
  const pages = readPages(db, {
    read: ([after]) => findUsers(db, String(after), usersAtOnce),
    keyOf: ({ username_key }) => [username_key],
    start: [''],
    size: usersAtOnce,
  })
  for await (const users of pages) yield* users
}

/** `team:Accounts`, or `team:id:7` where the name cannot be a folder's or another team folder has it too. */
function teamFolder({ id, name }: TeamRow, teams: readonly TeamRow[]): string {
  const folder = `team:${name}`
  const isUsable = nameProblem(folder) === null && !name.startsWith('id:')
  return isUsable && teams.every(team => team.id === id || team.name !== name) ? folder : `team:id:${id}`
}

/** The trees of all users, and then all team folders. */
export async function* findSources(deps: Deps): AsyncGenerator<Source> {
  for await (const user of findAllUsers(deps)) yield openUserSource(deps, user)
  const teams = await findTeams(deps.db)
  for (const team of teams) {
    const { id: spaceId, folder_id: rootId, name } = team
    yield {
      ...{ username: null, team: name, folder: teamFolder(team, teams), userId: null, spaceId, rootId, tags: [] },
      tell: detail => tellAudit(deps.db, 'space.export', spaceId, { name, ...detail }),
    }
  }
}
