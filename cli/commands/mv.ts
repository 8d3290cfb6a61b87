/** `filestore mv`: moves and renames. */
import { moveFile } from '../../src/api/files.ts'
import { type EachToOptions, runEachTo } from '../each-to.ts'

/** Moves all but the last path to where the last one says; an item's new place and name are one step. */
export const move = (paths: string[], options: EachToOptions): Promise<void> =>
  runEachTo(paths, options, 'MOVED TO', (call, { id }, { parentId, name }) =>
    call(moveFile, { id, parent_id: parentId, name }),
  )
