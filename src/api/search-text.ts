/** Which texts can be searched for. */
import { minSearchLength } from './limits.ts'

/** Scripts in which one character is often a word. */
const wordCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Whether a text, without the white space around it, is long enough to search for. */
export function isSearchable(text: string): boolean {
  const characters = text.normalize('NFC').trim()
  return [...characters].length >= minSearchLength || wordCharacter.test(characters)
}
