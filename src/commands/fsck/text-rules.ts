/** Rules for texts: the longest that calls accept, and the characters that none does. */
import { maxEmailLength, maxMetadataValueLength, maxUsernameLength } from '../../api/limits.ts'
import { isComposable } from '../../api/names.ts'
import { emailForm, hiddenCharacters } from '../../api/users.ts'
import { usernameSkeleton } from '../../db/skeletons.ts'
import type { Row } from '../../db/tables.ts'
import { userKey } from '../../db/user-key.ts'
import type { Rule } from './column-rules.ts'

type Cell = Row[string] | undefined

const control = /\p{Cc}/gu
const controlButLines = /(?![\t\n\r])\p{Cc}/gu

interface TextForm {
  /** Code points. */
  max: number
  /** Matches the characters that it cannot have. */
  refused: RegExp
  mayBeEmpty: boolean
}

/** Trimmed and NFC, as api/fields.ts leaves a text. A text with many marks in a row is left alone, as it is slow. */
const isTidy = (text: string): boolean =>
  text === text.trim() && (!isComposable(text) || text === text.normalize('NFC'))

const fitsForm = (text: string, { max, refused, mayBeEmpty }: TextForm): boolean =>
  text.length <= 2 * max &&
  [...text].length <= max &&
  text.isWellFormed() &&
  text.search(refused) === -1 &&
  (mayBeEmpty || text !== '')

const cut = (text: string, max: number): string => [...text].slice(0, max).join('')

/** The nearest text that fits: with `_` in place of a character that it cannot have. */
function nearest(text: string, { max, refused, mayBeEmpty }: TextForm): string {
  const plain = text.toWellFormed().replace(refused, '_').trim()
  const composed = isComposable(plain) ? plain.normalize('NFC') : plain
  const short = cut(composed, max).trim()
  return short === '' && !mayBeEmpty ? '_' : short
}

const characters = 'broken or control characters in it'

/** A name, label or comment. `follows` returns the columns that are derived from it. */
function text(column: string, form: TextForm, follows: (text: string) => Row = () => ({})): Rule {
  const least = form.mayBeEmpty ? 'has' : 'is empty, has'
  return {
    detail: `its ${column} ${least} more than ${form.max} characters, spaces around it, or ${characters}`,
    fits: value => typeof value === 'string' && fitsForm(value, form) && isTidy(value),
    mend: row => {
      const mended = nearest(String(row[column] ?? ''), form)
      return { [column]: mended, ...follows(mended) }
    },
  }
}

const lineForm = (max: number): TextForm => ({ max, refused: control, mayBeEmpty: false })
const blockForm = (max: number): TextForm => ({ max, refused: controlButLines, mayBeEmpty: true })

/** As `lineOfText` of api/fields.ts accepts it. */
export const line = (column: string, max: number, follows?: (text: string) => Row): Rule =>
  text(column, lineForm(max), follows)

/** As `textBlock` of api/fields.ts accepts it. */
export const block = (column: string, max: number, follows?: (text: string) => Row): Rule =>
  text(column, blockForm(max), follows)

export const isLine = (value: string, max: number): boolean => fitsForm(value, lineForm(max)) && isTidy(value)
export const nearestLine = (value: string, max: number): string => nearest(value, lineForm(max))

/** A text that the server makes: printable ASCII, at most `max` characters. */
export const plain = (column: string, max: number): Rule => ({
  detail: `its ${column} has more than ${max} characters, or ${characters}`,
  fits: value => typeof value === 'string' && value.length <= max && /^[ -~]*$/.test(value),
  mend: row => ({
    [column]: String(row[column])
      .replace(/[^ -~]/g, '_')
      .slice(0, max),
  }),
})

/** Whether a value can be a form in which names are compared: of at most `max` code points. */
export const couldBeKey =
  (max: number) =>
  (value: Cell): boolean =>
    typeof value === 'string' && fitsForm(value, { max, refused: control, mayBeEmpty: true })

/** The same for the form of a metadata value, of which NFKD may make 18 code points for each (UAX #15, section 11). */
export const couldBeFoldedValue = (value: Cell): boolean =>
  typeof value === 'string' && fitsForm(value, blockForm(18 * maxMetadataValueLength))

const usernameForm: TextForm = { max: maxUsernameLength, refused: hiddenCharacters, mayBeEmpty: false }

/** Without the characters that a new name cannot have since lately. */
export const username: Rule = {
  detail: `its username is empty, has more than ${maxUsernameLength} characters, or spaces or ${characters}`,
  fits: value => typeof value === 'string' && fitsForm(value, usernameForm),
  mend: row => {
    const mended = nearest(String(row.username), usernameForm)
    return { username: mended, username_key: userKey(mended), username_skeleton: usernameSkeleton(mended) }
  },
}

const isEmail = (value: Cell): boolean =>
  typeof value === 'string' && value.length <= maxEmailLength && emailForm.test(value) && value.isWellFormed()

/** An address of no form is replaced by one that nobody has (RFC 2606), until somebody gives the right one. */
export const email: Rule = {
  detail: `its email is no address, has more than ${maxEmailLength} characters, or ${characters}`,
  fits: isEmail,
  mend: row => {
    const mended = nearest(String(row.email), { max: maxEmailLength, refused: hiddenCharacters, mayBeEmpty: false })
    const address = isEmail(mended) ? mended : `user-${row.id}@damaged.invalid`
    return { email: address, email_key: userKey(address) }
  },
}
