/** The words for the filters of a search. */
import { expect, test } from 'vitest'
import type { MetadataField } from '../../src/api/metadata.ts'
import type { Tag } from '../../src/api/tags.ts'
import { countFilters, type SearchParams } from '../../web/lib/data/search.ts'
import { filterWords } from '../../web/screens/search/filter-words.ts'

const tags = [{ id: 7, name: 'Press' }] as Tag[]
const fields = [
  { name: 'city', label: 'City', field_type: 'text' },
  { name: 'seen', label: 'Seen', field_type: 'checkbox' },
] as MetadataField[]

const tell = (filters: Omit<SearchParams, 'q'>, known = { tags, fields }) =>
  filterWords(filters, known).map(({ words, value }) => (value === undefined ? words : `${words} ${value}`))

test('each of the eight filters has words', () => {
  const filters = {
    mime_type: 'image/',
    min_size: 0,
    max_size: 2 * 1024 ** 2,
    date_from: '2026-01-31',
    date_to: '2026-02-28',
    tag_id: 7,
    status: 'pending',
    meta: 'city:Rome: centre',
  } as const
  expect(tell(filters)).toEqual([
    'Images',
    'at least 0 Bytes',
    'at most 2.00 MB',
    'changed from 2026-01-31',
    'changed until 2026-02-28',
    'tag Press',
    'Pending',
    'City: Rome: centre',
  ])
  expect(countFilters({ q: 'report', ...filters })).toBe(8)
  expect(tell({})).toEqual([])
})

test('the value of a checkbox filter is Yes or No', () => {
  expect(tell({ meta: 'seen:true' })).toEqual(['Seen: Yes'])
  expect(tell({ meta: 'seen:false' })).toEqual(['Seen: No'])
})

test('a filter by an unknown type, tag or field has words too', () => {
  const filters = { mime_type: 'font/woff', tag_id: 9, meta: 'town:Rome' }
  expect(tell(filters, { tags: [], fields: [] })).toEqual(['font/woff', 'a tag', 'town: Rome'])
})
