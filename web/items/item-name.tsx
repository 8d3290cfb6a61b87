/** An item's name on one line; a long one is cut in its middle, so that its end and extension stay. */
import { splitName } from '../../src/api/names.ts'
import { MiddleText } from '../ui/middle-text.tsx'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const tailLength = 5
/** Characters, dot included; what is longer after a dot is no extension that needs keeping. */
const longestExtension = 12

/** Where the part that always stays begins: 5 characters (as people count them) before the extension. */
function splitAtTail(name: string, isDirectory: boolean): { head: string; tail: string } {
  const { stem, extension } = splitName(name, isDirectory)
  const kept = extension.length <= longestExtension ? stem : name
  const starts = Array.from(graphemes.segment(kept), ({ index }) => index)
  const cut = starts.at(-tailLength) ?? 0
  return { head: name.slice(0, cut), tail: name.slice(cut) }
}

export function ItemName({ item }: { item: { name: string; is_directory: boolean } }) {
  return <MiddleText {...splitAtTail(item.name, item.is_directory)} />
}
