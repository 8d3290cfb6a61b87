/** Makes untrusted text safe to print on a terminal. */

/**
 * Control characters, line and paragraph separators, characters that reorder text (`gpj.exe` must not read `exe.jpg`),
 * and invisible characters, with which two different names would look the same.
 */
const hazard = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u

/**
 * Emoji of several parts (UTS 51): the flags of England, Scotland and Wales, sequences with joiners or variation
 * selectors, and keycaps.
 */
const emoji = [
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u,
  /\p{ExtPict}[\ufe0e\ufe0f\p{EMod}]?(?:\u200d\p{ExtPict}[\ufe0e\ufe0f\p{EMod}]?)*/u,
  /[\d#*]\ufe0f\u20e3/u,
]

/** Variation selectors that choose the form of a character: of ideographs, and of Mongolian letters. */
const variants = [/\p{sc=Han}[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u, /\p{sc=Mong}[\u180b-\u180d\u180f]/u]

/** Scripts whose words are spelled with joiners between letters, as Persian `می‌خواهم` (UAX 31, section 2.3). */
const joining = ['Arab', 'Syrc', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh']
const letter = `[${joining.map(script => `\\p{scx=${script}}`).join('')}]`
/** Marks after which a joiner chooses the form of a letter, also at the end of a word. */
const virama = '[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]'
const joiners = [new RegExp(`(?<=${letter})[\u200c\u200d](?=${letter})`, 'u'), new RegExp(`(?<=${virama})\u200d`, 'u')]

const allowed = [...emoji, ...variants, ...joiners].map(form => form.source).join('|')
const forms = new RegExp(`(${allowed})|${hazard.source}`, 'gu')

function escapeCharacter(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  if (hex.length > 4) return `\\u{${hex}}`
  return hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`
}

const plain = /^[\x20-\x7e]*$/

/** Returns the text with every character that could control or deceive a terminal escaped, such as `\x1b`. */
export const visible = (text: string): string =>
  plain.test(text)
    ? text
    : text.toWellFormed().replace(forms, (match: string, form: string | undefined) => form ?? escapeCharacter(match))
