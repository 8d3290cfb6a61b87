/** Reads a stream to its end. Node's `buffer` takes the bytes through a Blob, which is three times the work. */
export async function readBytes(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of source) pieces.push(piece)
  return Buffer.concat(pieces)
}
