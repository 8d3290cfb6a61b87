/** `filestore browse`: browses files and folders in a full-screen interface. */
import { posix } from 'node:path'
import { getProfile } from '../../src/api/auth.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { processContext } from '../../src/base/process-context.ts'
import { CommandError } from '../../terminal/exit.ts'
import { runBrowser } from '../browse/run.tsx'
import { openPlace, type Place, type State } from '../browse/state.ts'
import { shownPath } from '../places.ts'
import { findRemote } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

/** Returns the place that shows an item: a folder itself, or a file's folder with the cursor on the file. */
function placeOf(item: FileDetails | null): Place {
  const order = { sort: 'name', reverse: false, foldersOnly: false } as const
  if (item === null) return openPlace({ kind: 'folder', parentId: null, ...order })
  if (item.is_directory) return { ...openPlace({ kind: 'folder', parentId: item.id, ...order }), path: shownPath(item) }
  const place = openPlace({ kind: 'folder', parentId: item.parent_id, ...order }, item.id)
  return { ...place, path: posix.dirname(shownPath(item)) }
}

/** Opens the browser at a path. Throws `usage` if there is no terminal to draw on. */
export async function browse(path: string, options: ProfileOption): Promise<void> {
  const { stdin, stdout } = processContext()
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new CommandError('usage', "browse needs a terminal to draw on; scripts have 'ls', 'upload' and 'download'")
  }
  await runSignedIn(options, async signedIn => {
    const [item, user] = await Promise.all([findRemote(signedIn.call, path), signedIn.call(getProfile, {})])
    const initial: State = {
      columns: stdout.columns,
      rows: stdout.rows,
      server: signedIn.server.url,
      user,
      tab: 'files',
      place: placeOf(item),
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
    await runBrowser(signedIn, initial)
  })
}
