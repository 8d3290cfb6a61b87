/** Cuts a stream into parts of one size. */

/**
 * Yields parts of `size` bytes, the last one shorter, none for an empty stream. Each part has memory of its own, because
 * the source may overwrite its chunks.
 */
export async function* equalParts(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer, void> {
  let pieces: Buffer[] = []
  let length = 0
  const take = (): Buffer => {
    const part = Buffer.concat(pieces, length)
    pieces = []
    length = 0
    return part
  }
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + size - length)
      pieces.push(Buffer.from(piece))
      length += piece.length
      at += piece.length
      if (length === size) yield take()
    }
  }
  if (length > 0) yield take()
}
