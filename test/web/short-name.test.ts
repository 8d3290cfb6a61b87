/** Shortened names in sentences. */
import { expect, test } from 'vitest'
import { shortName } from '../../web/lib/words/short-name.ts'

test('a short name stays as it is', () => {
  expect(shortName('report 2026.pdf')).toBe('report 2026.pdf')
  expect(shortName(`${'x'.repeat(28)}.txt`)).toBe(`${'x'.repeat(28)}.txt`)
})

test('a long name keeps its beginning, its last five characters and its extension', () => {
  expect(shortName(`Minutes ${'x'.repeat(200)} final.txt`)).toBe(`Minutes ${'x'.repeat(14)}…final.txt`)
  expect(shortName(`${'y'.repeat(60)}.old`, true)).toBe(`${'y'.repeat(26)}…y.old`)
})

test('a grapheme is never cut apart', () => {
  const family = '👨‍👩‍👧'
  expect(shortName(family.repeat(40))).toBe(`${family.repeat(26)}…${family.repeat(5)}`)
})
