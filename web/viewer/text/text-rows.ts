/** Cuts text that comes in parts into rows: its lines, and very long lines into pieces that a browser can lay out. */

export interface TextRow {
  /** The line's number from 1, or null for what continues a line. */
  line: number | null
  text: string
}

export interface TextRows {
  /** All but the last line, which the next part may continue. */
  rows: readonly TextRow[]
  /** That last line. */
  rest: string
  /** How many lines there are before it. */
  lines: number
}

export const noText: TextRows = { rows: [], rest: '', lines: 0 }

/** Characters of a row. */
const longestRow = 1000
/** Rows beyond which browsers cannot make a page high enough to scroll to the last one. */
const mostRows = 700_000

/** How many more rows can be shown; 0 or less for none. */
export const roomFor = ({ rows, rest }: TextRows): number =>
  mostRows - rows.length - Math.ceil(rest.length / longestRow)

const [lf, cr] = [10, 13]

/** How many of these bytes can be shown where there is room for so many rows: those before one end of line too many. */
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
    // The two halves of one character stay together.
    const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(from + longestRow - 1))
    const to = from + longestRow + (isSplit ? 1 : 0)
    pieces.push({ line: from === 0 ? line : null, text: text.slice(from, to) })
    from = to
  } while (from < text.length)
  return pieces
}

/** Adds the next part. Lines end in LF, CR LF or CR. */
export function addText({ rows, rest, lines }: TextRows, part: string): TextRows {
  const whole = rest + part
  // The LF that may belong to this CR comes with the next part.
  const isOpen = whole.endsWith('\r')
  const found = (isOpen ? whole.slice(0, -1) : whole).split(/\r\n|\n|\r/)
  const last = found.pop() ?? ''
  const added = found.flatMap((text, index) => piecesOf(text, lines + index + 1))
  return { rows: rows.concat(added), rest: isOpen ? `${last}\r` : last, lines: lines + found.length }
}

/** What there is to show: an end of line at the very end begins no other line. */
export function allRows({ rows, rest, lines }: TextRows): readonly TextRow[] {
  const last = rest.replace(/\r$/, '')
  return last === '' && rest === '' ? rows : rows.concat(piecesOf(last, lines + 1))
}
