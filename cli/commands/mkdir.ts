/** `filestore mkdir`: makes folders. */
import type { Call } from '../../src/api/client.ts'
import { createFolder } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { CommandError } from '../../terminal/exit.ts'
import { createCall } from '../client.ts'
import { runEach } from '../each.ts'
import { formatPaths } from '../item-cells.ts'
import { findNewPlace, readWay } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface MkdirOptions extends ProfileOption {
  parents?: boolean
  json?: boolean
}

async function makeFolder(call: Call, text: string): Promise<FileDetails> {
  const { parentId, name } = await findNewPlace(call, text)
  return (await call(createFolder, { parent_id: parentId, name })).file
}

/** Creates each missing folder of the path. Returns the last folder. */
async function makeWay(call: Call, text: string): Promise<FileDetails> {
  const { startId, below } = await readWay(call, text)
  let parentId = startId
  let folder: FileDetails | undefined
  for (const name of below.split('/').filter(Boolean)) {
    folder = (await call(createFolder, { parent_id: parentId, name, exist_ok: true })).file
    parentId = folder.id
  }
  if (folder === undefined) throw new CommandError('usage', `'${text}' is no path for something new`)
  return folder
}

/** Creates all the folders. An existing folder is a conflict, unless `--parents` is given. */
export const makeFolders = (paths: string[], options: MkdirOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const callRepeatable = createCall(server, { repeatable: true })
    const make = options.parents
      ? (text: string) => makeWay(callRepeatable, text)
      : (text: string) => makeFolder(call, text)
    await runEach(server, paths, options, formatPaths('FOLDER'), make)
  })
