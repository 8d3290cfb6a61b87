/** Shortens names where there is little room: the middle is cut, the end and the extension stay. */
import { splitName } from '../../../src/api/names.ts'
import { lettersOf } from '../../ui/letters.ts'

const tailLength = 5
/** Characters with the dot. A longer text after a dot is not treated as an extension. */
const longestExtension = 12
/** The longest name shown within a sentence, in characters. */
const longestShown = 32

/** Splits before the part that is never cut: 5 characters (graphemes) and the extension. */
export function splitAtTail(name: string, isDirectory: boolean): { head: string; tail: string } {
  const { stem, extension } = splitName(name, isDirectory)
  const kept = extension.length <= longestExtension ? stem : name
  const cut = lettersOf(kept).slice(0, -tailLength).join('').length
  return { head: name.slice(0, cut), tail: name.slice(cut) }
}

/** A name for the middle of a sentence, short enough to leave the rest of it visible. */
export function shortName(name: string, isDirectory = false): string {
  const { head, tail } = splitAtTail(name, isDirectory)
  const letters = lettersOf(head)
  const room = longestShown - 1 - lettersOf(tail).length
  return letters.length <= room + 1 ? name : `${letters.slice(0, room).join('').trimEnd()}…${tail}`
}
