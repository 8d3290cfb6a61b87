/** Serialises an answer in JSON part by part, so that a long list never exists a second time as one text. */

/** Bytes of a piece: as many as a socket takes at once. */
const pieceSize = 64 * 1024

const isPlain = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

/** Characters of a text at which it has enough entries: with one entry each, a page of small ones would be slower. */
const textLength = 16 * 1024

function* listTexts(list: readonly unknown[]): Generator<string> {
  yield '['
  let start = 0
  let count = 1
  while (start < list.length) {
    const text = JSON.stringify(list.slice(start, start + count))
    // Without its brackets, and with the comma that stands before all but the first.
    yield (start === 0 ? '' : ',') + text.slice(1, -1)
    start += count
    count = Math.ceil((count * textLength) / text.length)
  }
  yield ']'
}

/**
 * Yields the texts that make up what JSON.stringify returns for an object: one for some entries of its lists, and of
 * the lists in the objects right in it.
 */
export function* jsonTexts(fields: object, depth = 0): Generator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const start = `${before}${JSON.stringify(name)}:`
    before = ','
    if (Array.isArray(value)) {
      yield start
      yield* listTexts(value)
    } else if (depth === 0 && isPlain(value)) {
      yield start
      yield* jsonTexts(value, depth + 1)
    } else yield start + JSON.stringify(value)
  }
  yield before === '{' ? '{}' : '}'
}

/** Joins texts to pieces of UTF-8. All use the same memory, so a piece must be sent before the next is asked for. */
export function* utf8Pieces(texts: Iterable<string>): Generator<Buffer> {
  const encoder = new TextEncoder()
  const buffer = Buffer.allocUnsafe(pieceSize)
  let used = 0
  for (let text of texts) {
    for (;;) {
      const { read, written } = encoder.encodeInto(text, buffer.subarray(used))
      used += written
      if (read === text.length) break
      yield buffer.subarray(0, used)
      used = 0
      text = text.slice(read)
    }
  }
  yield buffer.subarray(0, used)
}
