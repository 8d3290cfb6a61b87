/** Answers are serialised in pieces, which together are what JSON.stringify returns. */
import { expect, test } from 'vitest'
import { jsonPieces } from '../../src/http/json-pieces.ts'

const listOf = (count: number, entryOf: (at: number) => unknown) =>
  Array.from({ length: count }, (_, at) => entryOf(at))

test.each<[string, object]>([
  ['nothing', {}],
  ['fields without a value', { a: undefined, b: null, c: 0 }],
  ['an empty list', { list: [] }],
  ['sixteen entries', { list: listOf(16, at => at) }],
  ['seventeen entries', { list: listOf(17, at => ({ at })) }],
  [
    'thousands of entries, also in an object',
    { data: { list: listOf(5000, at => ({ at, name: `name ${at}` })), last: 1 } },
  ],
  ['small entries before large ones', { list: listOf(40, at => (at < 16 ? at : 'x'.repeat(100_000))) }],
  ['entries without a value', { list: listOf(20, at => (at % 2 === 0 ? undefined : at)) }],
  ['text of two bytes, and halves of characters', { list: listOf(3000, at => `評 \u{1F600} \ud83d ${at}`) }],
])('%s', (_what, value) => {
  const pieces = [...jsonPieces(value)].map(piece => Buffer.from(piece as string))
  expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(value))
})
