/** `filestore cp`: copies on the server. */
import { copyFile } from '../../src/api/files.ts'
import { type EachToOptions, runEachTo } from '../each-to.ts'

/** Copies all but the last path to where the last one says, folders with all below them. */
export const copy = (paths: string[], options: EachToOptions): Promise<void> =>
  runEachTo(paths, options, 'COPY', (call, { id }, { parentId, name }) =>
    call(copyFile, { id, parent_id: parentId, name }),
  )
