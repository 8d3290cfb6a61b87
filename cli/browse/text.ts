/** Measures and cuts text in terminal columns; a wide character takes two. */
import stringWidth from 'string-width'
import { visible } from '../../terminal/visible.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const plain = /^[\x20-\x7e]*$/

/** Returns the number of columns that a text takes. */
export const widthOf = (text: string): number => (plain.test(text) ? text.length : stringWidth(text))

/** Yields the graphemes of a text, each with its columns. */
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

/**
 * Cuts a text at the end, with `…`, to fit the columns. Escapes unsafe characters, like everything that goes into
 * columns.
 */
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

/** Like `shorten`, but cuts at the start. */
export function shortenStart(given: string, columns: number): string {
  const text = visible(given)
  if (widthOf(text) <= columns) return text
  return columns < 1 ? '' : `…${reversed(take(reversed(text), columns - 1))}`
}

/** Cuts or pads a text to exactly so many columns. */
export function padTo(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const short = shorten(text, columns)
  const space = ' '.repeat(Math.max(0, columns - widthOf(short)))
  return align === 'left' ? short + space : space + short
}

/** Returns a line of a file with tabs as spaces and unsafe characters escaped. */
export const visibleLine = (line: string): string => visible(line.replace(/\r$/, '').replace(/\t/g, '    '))

/** Breaks a text into lines of at most so many columns. */
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

/** The longest name in a sentence, in columns: the rest of the sentence stays in view. */
const longestName = 32
/** The same in a sentence that gives a reason. */
export const shortName = 20
/** Columns at the end of a name that are never cut. */
const keptEnd = 9

/** Quotes a name for a sentence; of a long one the middle is cut. */
export function quoteName({ name }: { name: string }, longest = longestName): string {
  const text = visible(name)
  if (widthOf(text) <= longest) return `'${text}'`
  const end = reversed(take(reversed(text), keptEnd))
  return `'${take(text, longest - 1 - widthOf(end))}…${end}'`
}
