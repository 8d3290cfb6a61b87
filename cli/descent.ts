/** Gives a walk down the server's folders an end, whatever the server shows. */
import type { FileItem } from '../src/api/items.ts'
import { maxTreeDepth } from '../src/api/limits.ts'
import { CommandError } from '../terminal/exit.ts'

/**
 * Notes that the walk goes into a folder; `level` is 1 for those in the first one. Throws `unexpected` where the way has
 * no end.
 */
export type Descend = (folder: FileItem, level: number) => void

/** Begins one walk, in which no folder comes twice and none is deeper than a server lets folders be nested. */
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
