/** Splits text that arrives in parts into rows: lines, and pieces of lines too long for a browser to lay out. */

export interface TextRow {
  /** The line's number from 1; null for the continuation of a line. */
  line: number | null
  text: string
}

export interface TextRows {
  /** All lines except the last, which the next part may continue. */
  rows: readonly TextRow[]
  /** The last line. */
  rest: string
  /** How many lines come before it. */
  lines: number
}

export const noText: TextRows = { rows: [], rest: '', lines: 0 }

/** The most characters of a row. */
const longestRow = 1000
/** The most rows: browsers cannot make a page higher than this. */
const mostRows = 700_000

/** How many more rows fit; 0 or less for none. */
export const roomFor = ({ rows, rest }: TextRows): number =>
  mostRows - rows.length - Math.ceil(rest.length / longestRow)

const [lf, cr] = [10, 13]

/** How many of these bytes fit into `room` rows: those before the first line end too many. */
export function bytesWithin(bytes: Uint8Array, room: number): number {
  let ends = 0
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === lf || (bytes[at] === cr && bytes[at + 1] !== lf)) ends += 1
    if (ends > room) return at
  }
  return bytes.length
}

function piecesOf(text: string, line: number): TextRow[] {
  const pieces: TextRow[] = []
  let from = 0
  do {
    // Do not split a surrogate pair.
    const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(from + longestRow - 1))
    const to = from + longestRow + (isSplit ? 1 : 0)
    pieces.push({ line: from === 0 ? line : null, text: text.slice(from, to) })
    from = to
  } while (from < text.length)
  return pieces
}

/** Appends the next part. Lines end with LF, CR LF or CR. */
export function addText({ rows, rest, lines }: TextRows, part: string): TextRows {
  const whole = rest + part
  // A CR at the end may belong to an LF in the next part, so keep it for later.
  const isOpen = whole.endsWith('\r')
  const found = (isOpen ? whole.slice(0, -1) : whole).split(/\r\n|\n|\r/)
  const last = found.pop() ?? ''
  const added = found.flatMap((text, index) => piecesOf(text, lines + index + 1))
  return { rows: rows.concat(added), rest: isOpen ? `${last}\r` : last, lines: lines + found.length }
}

/** All rows; a line end at the very end of the file starts no further line. */
export function allRows({ rows, rest, lines }: TextRows): readonly TextRow[] {
  const last = rest.replace(/\r$/, '')
  return last === '' && rest === '' ? rows : rows.concat(piecesOf(last, lines + 1))
}
