/** Rules for the names of files and folders. */
import { maxNameBytes } from './limits.ts'

/** The length of a text in UTF-8 bytes. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length

/**
 * Upper bound of the UTF-16 units that NFC composes into one code point; the most in Unicode 17 is 6 (U+16126). A text
 * with more units than this per allowed character is too long in any case, so it is refused without normalising it.
 */
export const maxUnitsPerCharacter = 8

const control = /\p{Cc}/u

/**
 * Combining marks allowed in a row (UAX #15 section 13); real text never has more. Normalising takes time quadratic in
 * the length of a run, so a megabyte of marks would keep the server busy for minutes.
 */
const maxMarks = 30
/**
 * Characters that normalising reorders: \p{M}, and other characters whose compatibility decomposition (NFKD) begins
 * with a combining class other than 0: in UnicodeData.txt of Unicode 17 only the halfwidth Katakana sound marks.
 */
const marks = '\\p{M}\uff9e\uff9f'
/** Matches from the character before a run; a match tried at every mark would read each mark thirty times. */
const tooManyMarks = new RegExp(`(?:^|[^${marks}])[${marks}]{${maxMarks + 1}}`, 'u')
export const manyMarks = `A character has more than ${maxMarks} accents`

/** Whether a text may be normalised; safe to ask for a text of any length. */
export const isComposable = (text: string): boolean => !tooManyMarks.test(text)

/**
 * Returns why an NFC-normalised name is invalid, as a sentence, or null if it is valid. A valid name has 1 to 255 UTF-8
 * bytes, is not blank, `.` or `..`, and has no `/`, control character or lone surrogate (which has no UTF-8).
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

/** Cuts a text to at most `bytes` bytes of UTF-8, never inside a character. */
export function cutToBytes(text: string, bytes: number): string {
  let length = 0
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    length += utf8Length(segment)
    if (length > bytes) return text.slice(0, index)
  }
  return text
}

/** Returns the name if it is valid, else the nearest valid one; for names that no user typed. */
export function usableName(name: string): string {
  if (nameProblem(name) === null) return name
  const plain = name.toWellFormed().replace(/[/\p{Cc}]/gu, '_')
  const cut = cutToBytes(/^\.{1,2}$/.test(plain) ? plain.replaceAll('.', '_') : plain, maxNameBytes)
  return cut.trim() === '' ? '_' : cut
}

/** The text before and after the number in `stem (n).ext`. */
export interface NumberedForm {
  before: string
  after: string
  /** The range of numbers with the given count of digits: from `first`, inclusive, to `end`, exclusive. */
  first: number
  end: number
}

/** The form for numbers with `digits` digits; the stem is cut so that the whole name fits. */
export function numberedForm(name: string, isDirectory: boolean, digits: number): NumberedForm {
  const { stem, extension } = splitName(name, isDirectory)
  const numbers = { first: 10 ** (digits - 1), end: 10 ** digits }
  const room = maxNameBytes - utf8Length(` ()${extension}`) - digits
  if (room > 0) return { before: `${cutToBytes(stem, room)} (`, after: `)${extension}`, ...numbers }
  // The extension leaves no room for a stem, so the whole name is cut.
  return { before: `${cutToBytes(name, maxNameBytes - ' ()'.length - digits)} (`, after: ')', ...numbers }
}
