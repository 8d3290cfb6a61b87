/** Places outside of the own tree, which `@Name` stands for: team folders, and what others share with the user. */
import type { Call } from '../src/api/client.ts'
import type { FileItem, Place } from '../src/api/items.ts'
import { listReceived, type ReceivedShare } from '../src/api/shares.ts'
import { listSpaces, type Space } from '../src/api/spaces.ts'
import { CommandError } from '../terminal/exit.ts'
import { collect, readPages } from './pages.ts'
import { pickOne } from './pick.ts'

/** A place as the user reaches it; `id` is that of its root, a folder or a single file. */
export interface RemotePlace extends Place {
  level: ReceivedShare['level']
  is_directory: boolean
}

/** Reads what others share with the user, the newest first; with `hidden` only what the user has hidden. */
export const readReceived = (call: Call, hidden = false): Promise<ReceivedShare[]> =>
  collect(
    readPages(async cursor => {
      const { shares, next_cursor } = await call(listReceived, hidden ? { hidden: 'true', cursor } : { cursor })
      return { files: shares, next_cursor }
    }),
  )

/** Reads the team folders of which the user is a member. */
export const readTeams = async (call: Call): Promise<Space[]> =>
  (await call(listSpaces, {})).spaces.filter(({ level }) => level !== null)

const placeOfTeam = ({ folder_id, name, level }: Space): RemotePlace => ({
  kind: 'team',
  id: folder_id,
  name,
  from: null,
  level: level ?? 'view',
  is_directory: true,
})

const placeOfShare = ({ item, from, level }: ReceivedShare): RemotePlace => ({
  kind: 'share',
  id: item.id,
  name: item.name,
  from: from.name,
  level,
  is_directory: item.is_directory,
})

/** Reads all places, team folders first. What is shared with the user in two ways is one place. */
export async function readPlaces(call: Call): Promise<RemotePlace[]> {
  const [teams, received] = await Promise.all([readTeams(call), readReceived(call)])
  const places = [...teams.map(placeOfTeam), ...received.map(placeOfShare)]
  return [...new Map(places.map(place => [place.id, place])).values()]
}

/** The places of each connection, so that a command with many paths asks for them once. */
const known = new WeakMap<Call, Promise<RemotePlace[]>>()

function readOnce(call: Call): Promise<RemotePlace[]> {
  const places = known.get(call) ?? readPlaces(call)
  known.set(call, places)
  return places
}

/** Finds a place by its name or as `id:42`. Throws `notFound`, and `usage` with the ids if several have the name. */
export async function findPlace(call: Call, name: string): Promise<RemotePlace> {
  if (name === '') {
    throw new CommandError('usage', "'@' stands for all places: name one as '@Name'; 'filestore ls @' lists them")
  }
  const where = `among the team folders and what is shared with you ('/@${name}' is an item of your own)`
  return pickOne(await readOnce(call), name, where, place => [place.name])
}

/** Returns the path of an item as a person types it: `/Docs/a.pdf`, or `@Name/a.pdf` in another place. */
export function shownPath({ place, path }: Pick<FileItem, 'place' | 'path'>): string {
  if (place === null) return path
  return path === '/' ? `@${place.name}` : `@${place.name}${path}`
}
