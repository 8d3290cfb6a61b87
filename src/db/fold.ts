/**
 * fold(name) for search and sortKey(name) for order. They are computed here so that both databases agree to the byte.
 */

/** Marks that readers take for accents: those that Unicode assigns to no script of their own, and Hebrew points. */
const droppedMarks = /[\p{Cf}]|(?=[\p{Script=Inherited}\p{Script=Hebrew}])\p{M}/gu

/** Letters that NFKD does not decompose, but that readers treat as others. */
const spelledOut: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', þ: 'th', ς: 'σ' }
const spelledOutLetters = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'g')

/** Returns the form in which search compares a name: without accents, case and invisible characters. */
export function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(droppedMarks, '')
    .toLowerCase()
    .replace(spelledOutLetters, letter => spelledOut[letter] ?? letter)
}

/** In the order in which Intl.Collator sorts punctuation; each becomes one byte below the digits, from 0x0E on. */
const orderedPunctuation = [' ', ...'_-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$']
const punctuationByte = new Map(orderedPunctuation.map((sign, index) => [sign, String.fromCharCode(0x0e + index)]))
const otherSign = /[\p{P}\p{S}]/u
/** Maximum code points of a sort key. A name has at most 255 bytes, but digits and signs may lengthen its key. */
export const maxSortKeyLength = 400

/** Puts the length of a run of digits, without leading zeros, before the digits, so that 9 sorts before 10. */
function numberKey(run: string): string {
  const digits = run.replace(/^0+/, '')
  const { length } = digits
  if (length < 10) return `${length}${digits}`
  if (length < 100) return `9a${length}${digits}`
  return `9b${length}${digits}`
}

function signKey(sign: string): string {
  return punctuationByte.get(sign) ?? (otherSign.test(sign) ? `\u002f${sign}` : sign)
}

/**
 * The longest part of a folded text that is also in the sort key of every name which contains the text, unless the key
 * was cut: digits and signs are others there. It may be empty.
 */
export const partInSortKeys = (text: string): string =>
  text.split(/[0-9\s\p{P}\p{S}]+/u).reduce((longest, part) => (part.length > longest.length ? part : longest))

/** Returns the form in which lists order a name, to be compared byte by byte; ties are broken by id. */
export function sortKey(name: string): string {
  const key = fold(name).replace(/[0-9]+|[^0-9]/gu, part => (/^[0-9]/.test(part) ? numberKey(part) : signKey(part)))
  return [...key].slice(0, maxSortKeyLength).join('')
}
