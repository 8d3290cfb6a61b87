/** `filestore mv`: moves and renames. */
import { moveFile } from '../../src/api/files.ts'
import { type EachToOptions, runEachTo } from '../each-to.ts'

/** Moves all paths but the last to the last one. An item is moved and renamed in one step. */
export const move = (paths: string[], options: EachToOptions): Promise<void> =>
  runEachTo(paths, options, 'MOVED TO', (call, { id }, { parentId, name }) =>
    call(moveFile, { id, parent_id: parentId, name }),
  )
