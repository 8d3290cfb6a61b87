/** Builds multipart bodies: all text fields and then one streamed file, or many small files. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

interface MultipartBody {
  headers: Record<string, string>
  body: Readable
}

const fieldPart = (boundary: string, name: string, value: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** The filename is a placeholder: the real name is in a text field, which needs no escaping. */
const fileHead = (boundary: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n` +
  'Content-Type: application/octet-stream\r\n\r\n'

const newBoundary = (): string => `filestore-${randomUUID()}`

const typeOf = (boundary: string): Record<string, string> => ({
  'content-type': `multipart/form-data; boundary=${boundary}`,
})

async function* joinParts(head: Buffer, content: AsyncIterable<Uint8Array>, tail: Buffer): AsyncGenerator<Uint8Array> {
  yield head
  yield* content
  yield tail
}

/** Builds the body. With `size`, the content's bytes, it has a Content-Length; without, it is sent in chunks. */
export function createMultipart(
  fields: Readonly<Record<string, string>>,
  content: AsyncIterable<Uint8Array>,
  size: number | undefined,
): MultipartBody {
  const boundary = newBoundary()
  const texts = Object.entries(fields).map(([name, value]) => fieldPart(boundary, name, value))
  const head = Buffer.from(texts.join('') + fileHead(boundary))
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const length: Record<string, string> =
    size === undefined ? {} : { 'content-length': String(head.length + size + tail.length) }
  return {
    headers: { ...typeOf(boundary), ...length },
    body: Readable.from(joinParts(head, content, tail), { objectMode: false }),
  }
}

/** A small file, and what its field `item` says of it. */
interface ManyFile {
  item: object
  bytes: Buffer
}

/** Builds the body of a request with many files. `onSent` is called for each file whose bytes are handed on. */
export function createManyMultipart(
  parentId: number | null,
  files: readonly ManyFile[],
  onSent: (index: number) => void,
): MultipartBody {
  const boundary = newBoundary()
  const first = fieldPart(boundary, 'parent_id', parentId === null ? '' : String(parentId))
  const parts = files.map(({ item, bytes }, index) =>
    Buffer.concat([
      Buffer.from((index === 0 ? first : '') + fieldPart(boundary, 'item', JSON.stringify(item)) + fileHead(boundary)),
      bytes,
      Buffer.from(index === files.length - 1 ? `\r\n--${boundary}--\r\n` : '\r\n'),
    ]),
  )
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  function* sending() {
    for (const [index, part] of parts.entries()) {
      yield part
      onSent(index)
    }
  }
  return {
    headers: { ...typeOf(boundary), 'content-length': String(length) },
    body: Readable.from(sending(), { objectMode: false }),
  }
}
