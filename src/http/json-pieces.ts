/** Serialises an answer in JSON piece by piece, so that a long list never exists a second time as one text. */

/** Characters of a piece: as many as a socket takes at once. */
const pieceLength = 64 * 1024
/** Entries of a list's first piece, whose length tells how many the next ones may have. */
const firstCount = 16

const comma = ','.charCodeAt(0)

const isPlain = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

function* listPieces(list: readonly unknown[]): Generator<string | Buffer> {
  if (list.length <= firstCount) return yield JSON.stringify(list)
  let count = firstCount
  for (let start = 0; start < list.length; ) {
    const text = JSON.stringify(list.slice(start, start + count))
    const isFirst = start === 0
    start += count
    count = Math.ceil((count * pieceLength) / text.length)
    // The brackets between the pieces are replaced in the bytes, because V8 copies a text to cut it.
    const bytes = Buffer.from(text)
    if (start < list.length) bytes[bytes.length - 1] = comma
    yield isFirst ? bytes : bytes.subarray(1)
  }
}

/**
 * Yields the pieces of what JSON.stringify returns for an object, short ones as texts: one piece for some entries of its
 * lists, and of the lists in the objects right in it.
 */
export function* jsonPieces(fields: object, depth = 0): Generator<string | Buffer> {
  let before = '{'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const start = `${before}${JSON.stringify(name)}:`
    before = ','
    if (Array.isArray(value)) {
      yield start
      yield* listPieces(value)
    } else if (depth === 0 && isPlain(value)) {
      yield start
      yield* jsonPieces(value, depth + 1)
    } else yield start + JSON.stringify(value)
  }
  yield before === '{' ? '{}' : '}'
}
