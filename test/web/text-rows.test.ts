/** Text that comes in parts: the rows are the same, wherever it was cut. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addText, allRows, noText } from '../../web/viewer/text/text-rows.ts'

const rowsOf = (...parts: string[]) => allRows(parts.reduce(addText, noText))
const textOf = (...parts: string[]) => rowsOf(...parts).map(({ text }) => text)

test('lines end in LF, CR LF or CR, and the last end begins no other line', () => {
  expect(textOf('a\nb\r\nc\rd\n')).toEqual(['a', 'b', 'c', 'd'])
  expect(textOf('a\n\n')).toEqual(['a', ''])
  expect(textOf('')).toEqual([])
})

test('it makes no difference where the parts were cut', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\n'), maxLength: 40 })
  fc.assert(
    fc.property(text, fc.nat(40), fc.nat(40), (whole, one, other) => {
      const [first, second] = [Math.min(one, other), Math.max(one, other)]
      const parts = [whole.slice(0, first), whole.slice(first, second), whole.slice(second)]
      expect(rowsOf(...parts)).toEqual(rowsOf(whole))
    }),
  )
})

test('a very long line is cut into rows under one number, between characters', () => {
  const rows = rowsOf(`${'x'.repeat(999)}🎄${'y'.repeat(1500)}\nnext`)
  expect(rows.map(({ line }) => line)).toEqual([1, null, null, 2])
  expect(rows[0]?.text.endsWith('x🎄')).toBe(true)
  expect(rows.every(({ text }) => text.length <= 1001)).toBe(true)
})
