/** `filestore cp`: copies on the server. */
import { copyFile } from '../../src/api/files.ts'
import { type EachToOptions, runEachTo } from '../each-to.ts'

/** Copies all paths but the last to the last one, and folders with everything below them. */
export const copy = (paths: string[], options: EachToOptions): Promise<void> =>
  runEachTo(paths, options, 'COPY', (call, { id }, { parentId, name }) =>
    call(copyFile, { id, parent_id: parentId, name }),
  )
