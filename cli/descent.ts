/** Makes sure that a walk down the server's folders ends, whatever the server sends. */
import type { FileItem } from '../src/api/items.ts'
import { maxTreeDepth } from '../src/api/limits.ts'
import { CommandError } from '../terminal/exit.ts'

/**
 * Records that the walk enters a folder; `level` is 1 for folders directly in the first one. Throws `unexpected` if the
 * walk would not end.
 */
export type Descend = (folder: Pick<FileItem, 'id' | 'name'>, level: number) => void

/** Starts one walk. No folder may occur twice in it, and none may be nested deeper than a server allows. */
export function openDescent(): Descend {
  const seen = new Set<number>()
  return ({ id, name }, level) => {
    if (seen.has(id)) {
      const cause = 'the server shows a folder inside itself, or it was moved meanwhile; try again'
      throw new CommandError('unexpected', `The folder '${name}' (id:${id}) came twice: ${cause}`)
    }
    if (level > maxTreeDepth) {
      throw new CommandError('unexpected', `The server shows more than ${maxTreeDepth} folders inside each other`)
    }
    seen.add(id)
  }
}
