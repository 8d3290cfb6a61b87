/** Text that arrives in parts: the rows do not depend on where the parts were cut. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addText, allRows, bytesWithin, noText, roomFor } from '../../web/viewer/text/text-rows.ts'

const rowsOf = (...parts: string[]) => allRows(parts.reduce(addText, noText))
const textOf = (...parts: string[]) => rowsOf(...parts).map(({ text }) => text)

test('lines end in LF, CR LF or CR, and the last line end starts no further line', () => {
  expect(textOf('a\nb\r\nc\rd\n')).toEqual(['a', 'b', 'c', 'd'])
  expect(textOf('a\n\n')).toEqual(['a', ''])
  expect(textOf('')).toEqual([])
})

test('the rows are the same wherever the text was cut', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\n'), maxLength: 40 })
  fc.assert(
    fc.property(text, fc.nat(40), fc.nat(40), (whole, one, other) => {
      const [first, second] = [Math.min(one, other), Math.max(one, other)]
      const parts = [whole.slice(0, first), whole.slice(first, second), whole.slice(second)]
      expect(rowsOf(...parts)).toEqual(rowsOf(whole))
    }),
  )
})

test('a very long line is cut between characters into rows with one line number', () => {
  const rows = rowsOf(`${'x'.repeat(999)}🎄${'y'.repeat(1500)}\nnext`)
  expect(rows.map(({ line }) => line)).toEqual([1, null, null, 2])
  expect(rows[0]?.text.endsWith('x🎄')).toBe(true)
  expect(rows.every(({ text }) => text.length <= 1001)).toBe(true)
})

test('only as many lines of a part are added as there is room for', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const short = bytes('\n'.repeat(8 * 1024 ** 2))
  const rows = addText(noText, new TextDecoder().decode(short.subarray(0, bytesWithin(short, roomFor(noText)))))
  expect(rows.rows.length).toBe(roomFor(noText))
  expect(roomFor(rows)).toBe(0)
  expect(bytesWithin(bytes('a\r\nb\rc\nd\ne'), 3)).toBe('a\r\nb\rc\nd'.length)
  expect(bytesWithin(bytes('a\nb'), 3)).toBe(3)
  expect(roomFor(addText(noText, 'x'.repeat(1500)))).toBe(roomFor(noText) - 2)
})
