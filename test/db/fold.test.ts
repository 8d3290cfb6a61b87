/** Case folding of names for search, and sort keys. */
import { describe, expect, test } from 'vitest'
import { fold, sortKey } from '../../src/db/fold.ts'

describe('fold', () => {
  test.each([
    ['Ärger', 'arger'],
    ['ÉCOLE', 'ecole'],
    ['Straße', 'strasse'],
    ['Ærø', 'aero'],
    ['Đà Nẵng', 'da nang'],
    ['Łódź', 'lodz'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['Ποσειδών ς', 'ποσειδων σ'],
    ['ﬁle', 'file'],
    ['soft\u00adhyphen\u200b', 'softhyphen'],
    ['שָׁלוֹם', 'שלום'],
    ['İstanbul', 'istanbul'],
    ['１２３', '123'],
  ])('folds %s to %s', (name, folded) => {
    expect(fold(name)).toBe(folded)
  })

  test('keeps the marks that other scripts need', () => {
    expect(fold('हिन्दी')).toBe('हिन्दी')
    expect(fold('ไทย้')).toBe('ไทย้')
  })
})

const byKey = (names: string[]): string[] =>
  [...names].sort((a, b) => Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b))))

describe('sortKey', () => {
  test('sorts numbers by value, whatever their length and leading zeros', () => {
    const names = [
      'a0',
      'a1',
      'a2',
      'a10',
      'a100',
      'a123456789',
      'a1234567890',
      `a${'9'.repeat(99)}`,
      `a1${'0'.repeat(99)}`,
    ]
    expect(byKey([...names].reverse())).toEqual(names)
    expect(sortKey('a007')).toBe(sortKey('a7'))
  })

  test('agrees with Intl.Collator on Latin and Greek names with ASCII punctuation and digits', () => {
    const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
    const parts = [
      'a',
      'B',
      'ä',
      'é',
      'z',
      'Z',
      'σ',
      'Ω',
      '1',
      '02',
      '10',
      '099',
      ' ',
      '-',
      '_',
      '.',
      '(',
      ')',
      '+',
      '~',
      '$',
      '#',
      ',',
      "'",
      '!',
      '&',
      '@',
      '%',
      '=',
      '[',
      '{',
    ]
    let state = 42
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state % below
    }
    const name = () => Array.from({ length: 1 + random(5) }, () => parts[random(parts.length)]).join('')
    for (let round = 0; round < 5000; round++) {
      const [one, two] = [name(), name()]
      const expected = Math.sign(collator.compare(one, two))
      const actual = Math.sign(Buffer.compare(Buffer.from(sortKey(one)), Buffer.from(sortKey(two))))
      expect({ one, two, order: actual }).toEqual({ one, two, order: expected })
    }
  })

  test('has at most 400 characters', () => {
    expect([...sortKey('…'.repeat(85))].length).toBeLessThanOrEqual(400)
    expect([...sortKey('\ufdfa'.repeat(85))].length).toBe(400)
  })
})
