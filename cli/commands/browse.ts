/** `filestore browse`: browses files and folders in a full-screen interface. */
import { getProfile } from '../../src/api/auth.ts'
import { ApiError, type Call } from '../../src/api/client.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { isPlaceRoot } from '../../src/api/places.ts'
import { processContext } from '../../src/base/process-context.ts'
import { CommandError } from '../../terminal/exit.ts'
import { folderPathOf } from '../browse/location.ts'
import { firstSource, openPlace, type Place, type View } from '../browse/place.ts'
import { runBrowser } from '../browse/run.tsx'
import type { State } from '../browse/state.ts'
import { readTeams, shownPath } from '../places.ts'
import { findRemote, isAllPlaces } from '../remote-path.ts'
import { type ProfileOption, runSignedIn, type SignedIn } from '../signed-in.ts'

type Start = Pick<State, 'tab' | 'place'>

/** Returns the view that an item is reached through. */
const viewOfItem = ({ place }: FileDetails): View =>
  place === null ? 'files' : place.kind === 'team' ? 'teams' : 'shared'

/**
 * Returns the list that shows an item: a folder itself, or a file's folder with the cursor on the file. A file that is
 * shared by itself has no folder, so it is shown in the list of what is shared.
 */
function startAt(item: FileDetails | null, isFolderKey: boolean): Start {
  const order = { sort: 'name', reverse: false, foldersOnly: false } as const
  if (item === null) return { tab: 'files', place: openPlace({ kind: 'folder', parentId: null, ...order }) }
  const tab = isFolderKey ? 'files' : viewOfItem(item)
  const folder = (parentId: number | null, path: string, focusId?: number): Place => ({
    ...openPlace({ kind: 'folder', parentId, ...order }, focusId),
    path,
  })
  if (item.is_directory) return { tab, place: folder(item.id, shownPath(item)) }
  if (tab === 'shared' && isPlaceRoot(item)) return { tab, place: openPlace(firstSource(tab), item.id) }
  return { tab, place: folder(item.parent_id, folderPathOf(item), item.id) }
}

/** Reads the team folders. A key for one folder may not: that tells it from others. */
async function readAccount(call: Call): Promise<Pick<State, 'user' | 'teams' | 'isFolderKey'>> {
  const isRefusal = (error: unknown) => error instanceof ApiError && error.code === 'forbidden'
  const [user, teams] = await Promise.all([
    call(getProfile, {}),
    // The browser can be of use without them, and their view reads them again.
    readTeams(call).catch(error => (isRefusal(error) ? null : [])),
  ])
  const isFolderKey = teams === null && user.permissions.includes('files:read')
  return { user, teams: teams ?? [], isFolderKey }
}

/** Opens the browser at a path. Throws `usage` if there is no terminal to draw on. */
export async function browse(path: string, options: ProfileOption): Promise<void> {
  const { stdin, stdout } = processContext()
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new CommandError('usage', "browse needs a terminal to draw on; scripts have 'ls', 'upload' and 'download'")
  }
  await runSignedIn(options, async signedIn => {
    const { state, previewed } = await openState(signedIn, path, stdout)
    await runBrowser(signedIn, state, previewed)
  })
}

interface Opened {
  state: State
  /** A file that is shared by itself: it is shown at once, because it need not be in the list of what is shared. */
  previewed: FileDetails | undefined
}

/** Returns the state at the start. Throws `notFound` if nothing is at the path. */
async function openState(
  { call, server }: SignedIn,
  path: string,
  { columns, rows }: Pick<State, 'columns' | 'rows'>,
): Promise<Opened> {
  const isAll = isAllPlaces(path)
  const [item, account] = await Promise.all([isAll ? null : findRemote(call, path), readAccount(call)])
  const start: Start = isAll
    ? { tab: 'teams', place: openPlace(firstSource('teams')) }
    : startAt(item, account.isFolderKey)
  const isAlone = item !== null && !item.is_directory && start.place.source.kind === 'received'
  const state: State = {
    columns,
    rows,
    server: server.url,
    ...account,
    ...start,
    trail: [],
    parked: undefined,
    sort: 'name',
    reverse: false,
    selection: new Map(),
    mode: { kind: 'list' },
    message: undefined,
    busy: undefined,
    transfers: [],
  }
  return { state, previewed: isAlone ? item : undefined }
}
