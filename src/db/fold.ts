/** fold(name) for search, sortKey(name) for order: computed here, so that both databases agree to the byte. */

/** Marks that Unicode gives to no script of their own, and Hebrew points: what a reader would call accents. */
const droppedMarks = /[\p{Cf}]|(?=[\p{Script=Inherited}\p{Script=Hebrew}])\p{M}/gu

/** Letters that NFKD leaves whole although readers take them for others. */
const spelledOut: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', þ: 'th', ς: 'σ' }
const spelledOutLetters = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'g')

/** The name as search compares it: without accents, case and invisible characters. */
export function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(droppedMarks, '')
    .toLowerCase()
    .replace(spelledOutLetters, letter => spelledOut[letter] ?? letter)
}

/** In the order of Intl.Collator for punctuation; each becomes one byte below the digits, from 0x0E on. */
const orderedPunctuation = [' ', ...'_-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$']
const punctuationByte = new Map(orderedPunctuation.map((sign, index) => [sign, String.fromCharCode(0x0e + index)]))
const otherSign = /[\p{P}\p{S}]/u
/** Code points of a sort key; a name has at most 255 bytes, but digits and signs may add to it. */
const maxSortKeyLength = 400

/** A run of digits as its length without leading zeros and then the digits, so that 9 comes before 10. */
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

/** The name as lists order it, to be compared byte by byte; ties are broken by id. */
export function sortKey(name: string): string {
  const key = fold(name).replace(/[0-9]+|[^0-9]/gu, part => (/^[0-9]/.test(part) ? numberKey(part) : signKey(part)))
  return [...key].slice(0, maxSortKeyLength).join('')
}
