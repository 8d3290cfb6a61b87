/** What a file or folder may be called. */
import { maxNameBytes } from './limits.ts'

/** Bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length

/**
 * UTF-16 units that one code point of NFC may have been typed as: 6 in Unicode 17 (U+16126). A text of more units than
 * that for each character it may have is too long whatever normalising makes of it, and need not be normalised to know.
 */
export const maxUnitsPerCharacter = 8

const control = /\p{Cc}/u

/**
 * Marks that may stand in a row (UAX #15 section 13): no text of people has more, and to compose a run of them takes
 * the square of its length, so that a megabyte of them would keep the server busy for minutes.
 */
const maxMarks = 30
/**
 * What normalising sorts: \p{M}, and the characters outside of it whose compatibility decomposition (NFKD) begins with a
 * combining class other than 0. In UnicodeData.txt of Unicode 17 these are the halfwidth Katakana sound marks alone.
 */
const marks = '\\p{M}\uff9e\uff9f'
/** Begins before the first mark of a run: begun at each of them, it would look at every mark thirty times. */
const tooManyMarks = new RegExp(`(?:^|[^${marks}])[${marks}]{${maxMarks + 1}}`, 'u')
export const manyMarks = `A character has more than ${maxMarks} accents`

/** Whether a text of any length may be normalised. */
export const isComposable = (text: string): boolean => !tooManyMarks.test(text)

/**
 * Why an NFC-normalised name cannot be used, as a sentence, or null when it can: 1 to 255 UTF-8 bytes, not blank,
 * no `/`, no control characters, not `.` or `..`, no half of a surrogate pair (which has no UTF-8).
 */
export function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'Name is required'
  if (utf8Length(name) > maxNameBytes) return `Name is longer than ${maxNameBytes} bytes`
  if (name.includes('/')) return "Name cannot contain '/'"
  if (control.test(name)) return 'Name cannot contain control characters'
  if (!name.isWellFormed()) return 'Name is not valid Unicode'
  if (name === '.' || name === '..') return `Name cannot be '${name}'`
  return null
}

/**
 * Splits a name into stem and extension (with its dot). A leading dot starts no extension, so `.env` has none, and a
 * folder's name never has one.
 */
export function splitName(name: string, isDirectory: boolean): { stem: string; extension: string } {
  const dot = isDirectory ? -1 : name.lastIndexOf('.')
  if (dot <= 0) return { stem: name, extension: '' }
  return { stem: name.slice(0, dot), extension: name.slice(dot) }
}

/** Cuts a text between characters so that it fits some bytes of UTF-8. */
export function cutToBytes(text: string, bytes: number): string {
  let length = 0
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    length += utf8Length(segment)
    if (length > bytes) return text.slice(0, index)
  }
  return text
}

/** The name itself where it can be used; else the nearest that can, for what came from elsewhere than a person. */
export function usableName(name: string): string {
  if (nameProblem(name) === null) return name
  const plain = name.toWellFormed().replace(/[/\p{Cc}]/gu, '_')
  const cut = cutToBytes(/^\.{1,2}$/.test(plain) ? plain.replaceAll('.', '_') : plain, maxNameBytes)
  return cut.trim() === '' ? '_' : cut
}

/** What stands before and after the number in `stem (n).ext`. */
export interface NumberedForm {
  before: string
  after: string
  /** The numbers of so many digits: from `first` to below `end`. */
  first: number
  end: number
}

/** The form for numbers of so many digits, the stem cut so that the whole fits a name. */
export function numberedForm(name: string, isDirectory: boolean, digits: number): NumberedForm {
  const { stem, extension } = splitName(name, isDirectory)
  const numbers = { first: 10 ** (digits - 1), end: 10 ** digits }
  const room = maxNameBytes - utf8Length(` ()${extension}`) - digits
  if (room > 0) return { before: `${cutToBytes(stem, room)} (`, after: `)${extension}`, ...numbers }
  // An extension that leaves no room for a stem is cut with it.
  return { before: `${cutToBytes(name, maxNameBytes - ' ()'.length - digits)} (`, after: ')', ...numbers }
}
