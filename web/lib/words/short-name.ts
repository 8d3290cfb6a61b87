/** Names where there is little room: what gives way is the middle, the end and the extension stay. */
import { splitName } from '../../../src/api/names.ts'
import { lettersOf } from '../../ui/letters.ts'

const tailLength = 5
/** Characters, dot included; what is longer after a dot is no extension that needs keeping. */
const longestExtension = 12
/** Characters of a name within a sentence. */
const longestShown = 32

/** Where the part that always stays begins: 5 characters (as people count them) before the extension. */
export function splitAtTail(name: string, isDirectory: boolean): { head: string; tail: string } {
  const { stem, extension } = splitName(name, isDirectory)
  const kept = extension.length <= longestExtension ? stem : name
  const cut = lettersOf(kept).slice(0, -tailLength).join('').length
  return { head: name.slice(0, cut), tail: name.slice(cut) }
}

/** A name for the middle of a sentence, where it must not push out what is said of it. */
export function shortName(name: string, isDirectory = false): string {
  const { head, tail } = splitAtTail(name, isDirectory)
  const letters = lettersOf(head)
  const room = longestShown - 1 - lettersOf(tail).length
  return letters.length <= room + 1 ? name : `${letters.slice(0, room).join('').trimEnd()}…${tail}`
}
