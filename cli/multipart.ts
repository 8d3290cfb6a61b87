/** Builds a streamed multipart body: all text fields, then one file part. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

interface MultipartBody {
  headers: Record<string, string>
  body: Readable
}

const fieldPart = (boundary: string, name: string, value: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

async function* joinParts(head: Buffer, content: AsyncIterable<Uint8Array>, tail: Buffer): AsyncGenerator<Uint8Array> {
  yield head
  yield* content
  yield tail
}

/**
 * Builds the body. With `size`, the content's bytes, it has a Content-Length; without, it is sent in chunks. The file
 * part's filename is a placeholder: the real name is a text field, which needs no escaping.
 */
export function createMultipart(
  fields: Readonly<Record<string, string>>,
  content: AsyncIterable<Uint8Array>,
  size: number | undefined,
): MultipartBody {
  const boundary = `filestore-${randomUUID()}`
  const texts = Object.entries(fields).map(([name, value]) => fieldPart(boundary, name, value))
  const fileHead =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n'
  const head = Buffer.from(texts.join('') + fileHead)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const length: Record<string, string> =
    size === undefined ? {} : { 'content-length': String(head.length + size + tail.length) }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...length },
    body: Readable.from(joinParts(head, content, tail), { objectMode: false }),
  }
}
