/** Text in columns: what a terminal shows wide takes two. */
import stringWidth from 'string-width'
import { visible } from '../../terminal/visible.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const plain = /^[\x20-\x7e]*$/

/** Columns that a text takes. */
export const widthOf = (text: string): number => (plain.test(text) ? text.length : stringWidth(text))

/** The graphemes of a text, each with its columns. */
export function* graphemesOf(text: string): Generator<[grapheme: string, width: number]> {
  for (const { segment } of segmenter.segment(text)) yield [segment, stringWidth(segment)]
}

function take(text: string, columns: number): string {
  let taken = ''
  let left = columns
  for (const [grapheme, width] of graphemesOf(text)) {
    left -= width
    if (left < 0) break
    taken += grapheme
  }
  return taken
}

/** The text with `…` for what does not fit; as all that goes into columns, with nothing that a terminal would obey. */
export function shorten(given: string, columns: number): string {
  const text = visible(given)
  if (widthOf(text) <= columns) return text
  return columns < 1 ? '' : `${take(text, columns - 1)}…`
}

const reversed = (text: string): string =>
  [...segmenter.segment(text)]
    .map(part => part.segment)
    .reverse()
    .join('')

/** The same, keeping the end. */
export function shortenStart(given: string, columns: number): string {
  const text = visible(given)
  if (widthOf(text) <= columns) return text
  return columns < 1 ? '' : `…${reversed(take(reversed(text), columns - 1))}`
}

/** Exactly so many columns. */
export function padTo(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const short = shorten(text, columns)
  const space = ' '.repeat(Math.max(0, columns - widthOf(short)))
  return align === 'left' ? short + space : space + short
}

/** A line of a file: tabs as spaces, and nothing that a terminal would obey. */
export const visibleLine = (line: string): string => visible(line.replace(/\r$/, '').replace(/\t/g, '    '))

/** The text in lines of so many columns, broken where they end. */
export function breakLine(text: string, columns: number): string[] {
  if (widthOf(text) <= columns) return [text]
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const [grapheme, width] of graphemesOf(text)) {
    if (used + width > columns) {
      lines.push(line)
      line = ''
      used = 0
    }
    line += grapheme
    used += width
  }
  return [...lines, line]
}
