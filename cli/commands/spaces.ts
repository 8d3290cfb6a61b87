/** `filestore spaces`: team folders. The terminal names them by the ids of their folders, with which paths begin. */
import { ApiError, type Call } from '../../src/api/client.ts'
import { listAccess } from '../../src/api/shares.ts'
import { createSpace, deleteSpace, listSpaces, type Space } from '../../src/api/spaces.ts'
import { formatSize, listNames } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { confirm } from '../../terminal/prompt.ts'
import { formatTable } from '../../terminal/table.ts'
import { unlessDone } from '../client.ts'
import { runEach } from '../each.ts'
import { findGrantee } from '../grantee.ts'
import { pickOne } from '../pick.ts'
import { formatAccess } from '../share-cells.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface SpacesOptions extends ProfileOption {
  json?: boolean
}

export interface ListSpacesOptions extends SpacesOptions {
  all?: boolean
}

export interface CreateSpaceOptions extends SpacesOptions {
  /** Bytes. */
  quota?: number
  manager?: string[]
}

export interface DeleteSpacesOptions extends SpacesOptions {
  withFiles?: boolean
  yes?: boolean
}

function formatSpaces(spaces: readonly Space[]): string {
  const numbers = ['USED', 'QUOTA', 'MEMBERS'].map(head => ({ head, align: 'right' }) as const)
  const rows = spaces.map(space => [
    String(space.folder_id),
    space.level ?? '-',
    formatSize(space.storage_used),
    formatSize(space.storage_quota),
    String(space.member_count),
    space.managers.map(({ username }) => username).join(', '),
    `@${space.name}/`,
  ])
  const heads = [{ head: 'ID', align: 'right' } as const, { head: 'LEVEL' }]
  return formatTable([...heads, ...numbers, { head: 'MANAGERS' }, { head: 'PLACE' }], rows)
}

const readSpaces = async (call: Call, isAll: boolean): Promise<Space[]> =>
  (await call(listSpaces, isAll ? { all: 'true' } : {})).spaces

/** Lists the team folders of the user, or all of the server. */
export const listTeams = (options: ListSpacesOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const spaces = await readSpaces(call, options.all === true)
    if (options.json) return printJson(spaces)
    if (spaces.length === 0)
      return printNotice(options.all ? 'There are no team folders' : 'You are in no team folder yet')
    printData(formatSpaces(spaces))
  })

/** Makes a team folder. The caller manages it, unless `--manager` names others. */
export const createTeam = (name: string, options: CreateSpaceOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const managers: string[] = []
    for (const username of options.manager ?? []) managers.push((await findGrantee(call, username)).name)
    const { space } = await call(createSpace, {
      name,
      storage_quota: options.quota,
      manager_names: options.manager === undefined ? undefined : managers,
    })
    if (options.json) printJson(space)
    else printData(formatSpaces([space]))
  })

/** Finds a team folder by its name, with or without `@`, or by the id of the folder. */
function pickTeam(spaces: readonly Space[], given: string): Space {
  const text = given.replace(/(?<=.)\/+$/, '')
  const entries = spaces.map(space => ({ id: space.folder_id, space }))
  return pickOne(entries, text, 'among the team folders', ({ space: { name } }) => [name, `@${name}`]).space
}

/** Lists who has access to a team folder. */
export const listMembers = (team: string, options: SpacesOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const { folder_id: id } = pickTeam(await readSpaces(call, false), team)
    const { access } = await call(listAccess, { id })
    if (options.json) printJson(access)
    else printData(formatAccess(access))
  })

/** Deletes team folders of the server. Throws `conflict` for one that is not empty, unless `--with-files` is given. */
export const deleteTeams = (names: string[], options: DeleteSpacesOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const what = options.withFiles ? ', with all that is in them and in their trash' : ''
    await confirm(`Delete ${listNames(names)}${what}?`, options.yes, server.signal)
    const spaces = await readSpaces(call, true)
    await runEach(server, names, options, formatSpaces, async text => {
      const space = pickTeam(spaces, text)
      const input = { id: space.id, ...(options.withFiles ? { files: 'delete' as const } : {}) }
      await unlessDone(call(deleteSpace, input), 'not_found').catch(error => {
        if (!(error instanceof ApiError && error.code === 'in_use')) throw error
        throw new ApiError(error.status, `${error.message}: --with-files deletes what is in it, too`, {
          code: 'in_use',
        })
      })
      return space
    })
  })
