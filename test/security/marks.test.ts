/** The measure of a text before its normalization, compared with all of Unicode in this version of Node. */
import { describe, expect, test } from 'vitest'
import { isComposable, maxUnitsPerCharacter } from '../../src/api/names.ts'

function* codePoints(): Generator<string> {
  for (let code = 0; code <= 0x10_ffff; code++) {
    const isSurrogate = code >= 0xd800 && code <= 0xdfff
    if (!isSurrogate) yield String.fromCodePoint(code)
  }
}

/** Marks with the lowest combining class, 1, and with the highest, 240. */
const overlay = '\u0334'
const iotaSubscript = '\u0345'
/** Whether a character without a decomposition has a combining class other than 0, so that normalization sorts it. */
const isSorted = (character: string): boolean =>
  (character + overlay).normalize('NFD') !== character + overlay ||
  (iotaSubscript + character).normalize('NFD') !== iotaSubscript + character

const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0)

describe('every character of Unicode', () => {
  test('counts as a mark when its normalization begins with a mark', () => {
    const begins = [...codePoints()].filter(
      character => isSorted(firstOf(character.normalize('NFKD'))) || isSorted(firstOf(character.normalize('NFD'))),
    )
    expect(begins.length).toBeGreaterThan(900)
    expect(begins).toEqual(expect.arrayContaining(['\u0301', '\uff9e', '\uff9f', '\u{1d165}']))
    const unmeasured = begins.filter(character => isComposable(`a${character.repeat(31)}`))
    expect(unmeasured).toEqual([])
  })

  test('decomposes to at most as many units as texts allow for it', () => {
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

  test('is short when other characters stand between the marks', () => {
    expect(isComposable(`a${'\u0301'.repeat(30)}`.repeat(100))).toBe(true)
  })
})
