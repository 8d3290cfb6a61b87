/** What a text is measured by before it is normalised, held against all of Unicode as this Node knows it. */
import { describe, expect, test } from 'vitest'
import { isComposable, maxUnitsPerCharacter } from '../../src/api/names.ts'

function* codePoints(): Generator<string> {
  for (let code = 0; code <= 0x10_ffff; code++) {
    const isSurrogate = code >= 0xd800 && code <= 0xdfff
    if (!isSurrogate) yield String.fromCodePoint(code)
  }
}

/** Of class 1 and of class 240, the lowest and the highest that there are. */
const overlay = '\u0334'
const iotaSubscript = '\u0345'
/** Whether a character that has no decomposition has a combining class other than 0: then normalising sorts it. */
const isSorted = (character: string): boolean =>
  (character + overlay).normalize('NFD') !== character + overlay ||
  (iotaSubscript + character).normalize('NFD') !== iotaSubscript + character

const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0)

describe('every character of Unicode', () => {
  test('that normalising begins with a mark it sorts counts as a mark', () => {
    const begins = [...codePoints()].filter(
      character => isSorted(firstOf(character.normalize('NFKD'))) || isSorted(firstOf(character.normalize('NFD'))),
    )
    expect(begins.length).toBeGreaterThan(900)
    expect(begins).toEqual(expect.arrayContaining(['\u0301', '\uff9e', '\uff9f', '\u{1d165}']))
    const unmeasured = begins.filter(character => isComposable(`a${character.repeat(31)}`))
    expect(unmeasured).toEqual([])
  })

  test('can be typed as no more units than texts are given', () => {
    const whole = [...codePoints()].filter(character => character.normalize('NFC') === character)
    const longest = whole.reduce((most, character) => Math.max(most, character.normalize('NFD').length), 0)
    expect(longest).toBeLessThanOrEqual(maxUnitsPerCharacter)
  })
})

describe('a run of marks', () => {
  test.each([
    ['at the start', `${'\u0301'.repeat(31)}a`],
    ['behind a short one', `a${'\u0301'.repeat(30)}b${'\u0301\uff9e'.repeat(16)}`],
  ])('is found %s', (_where, text) => {
    expect(isComposable(text)).toBe(false)
  })

  test('is short where others stand between', () => {
    expect(isComposable(`a${'\u0301'.repeat(30)}`.repeat(100))).toBe(true)
  })
})
