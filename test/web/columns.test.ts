/** Which columns a list shows in which width. */
import { expect, test } from 'vitest'
import { defaultPreferences, listColumns } from '../../src/api/preferences.ts'
import { fitColumns, type ListShape } from '../../web/items/list/columns/columns.ts'

/** Pixels of check and actions. */
const fixed = 44 + 128

const widthsFrom = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) / 20 + 1 }, (_, step) => from + step * 20)

test.each<[string, ListShape]>([
  ['a folder', { middle: 'type', hasOwners: false }],
  ['a search', { middle: 'location', hasOwners: true }],
])('in %s names keep 160 pixels in every width, whatever columns are wanted', (_, shape) => {
  for (const column_widths of [{}, { location: 640, date: 400 }]) {
    const wanted = { ...defaultPreferences, columns: [...listColumns], column_widths }
    for (const room of widthsFrom(340, 1600)) {
      const { widths } = fitColumns(wanted, shape, room)
      expect({ room, name: room - fixed - widths.reduce((sum, width) => sum + width, 0) }).toEqual({
        room,
        name: expect.toSatisfy((name: number) => name >= 160),
      })
    }
  }
})

test('a search beside the details keeps where each file lies longer than its size', () => {
  const { wide } = fitColumns(defaultPreferences, { middle: 'location', hasOwners: false }, 640)
  expect(wide).toEqual(['location', 'date'])
})
