/** The trashes that a user can list: the own one, and those of the team folders in which they may change items. */
import type { Call } from '../src/api/client.ts'
import type { FileItem } from '../src/api/items.ts'
import { listTrash } from '../src/api/trash.ts'
import { CommandError } from '../terminal/exit.ts'
import { collect, readPages } from './pages.ts'
import { pickOne } from './pick.ts'
import { findPlace, readTeams } from './places.ts'

/** Reads the own trash, or that of a team folder. */
export const readTrash = (call: Call, teamId?: number): Promise<FileItem[]> =>
  collect(readPages(cursor => call(listTrash, { folder_id: teamId, cursor })))

/** Returns the id of the team folder `@Name`, or undefined for no text. Throws `usage` for anything else. */
export async function findTeam(call: Call, text: string | undefined): Promise<number | undefined> {
  if (text === undefined || text === '/') return undefined
  const [, name] = /^@([^/]+)\/?$/.exec(text) ?? []
  const place = name === undefined ? undefined : await findPlace(call, name)
  if (place?.kind === 'team') return place.id
  throw new CommandError('usage', `'${text}' is no team folder: only '/' and team folders, as '@Name', have a trash`)
}

const namesOf = ({ path }: FileItem): string[] => [path, path.slice(1)]

const withId = (items: readonly FileItem[], text: string): FileItem | undefined =>
  items.find(({ id }) => `id:${id}` === text)

/** Reads the trashes of a connection, each at most once. */
function openReader(call: Call): (teamId?: number) => Promise<FileItem[]> {
  const read = new Map<number | undefined, Promise<FileItem[]>>()
  return teamId => {
    const items = read.get(teamId) ?? readTrash(call, teamId)
    read.set(teamId, items)
    return items
  }
}

/**
 * Opens a look-up of trashed items by `/former/path`, with or without the first slash, by `@Team/former/path`, or by id
 * in any trash. It throws `notFound`, and `usage` with the ids if several items had the path.
 */
export function openTrashes(call: Call): (text: string) => Promise<FileItem> {
  const read = openReader(call)
  return async given => {
    const text = given.replace(/(?<=.)\/+$/, '')
    const [, team, path = ''] = /^(@[^/]+)\/(.+)$/s.exec(text) ?? []
    if (team !== undefined) {
      return pickOne(await read(await findTeam(call, team)), path, `in the trash of '${team}'`, namesOf)
    }
    const own = await read()
    if (!/^id:\d+$/.test(text) || withId(own, text)) return pickOne(own, text, 'in the trash', namesOf)
    for (const { folder_id, level } of await readTeams(call)) {
      const item = level === 'edit' || level === 'manage' ? withId(await read(folder_id), text) : undefined
      if (item !== undefined) return item
    }
    throw new CommandError('notFound', `There is no '${text}' in the trash`)
  }
}
