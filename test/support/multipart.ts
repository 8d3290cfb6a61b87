/** Builds multipart bodies byte by byte: also forms that FormData cannot write. */
const boundary = '----filestore-test-boundary'

export const multipartType = `multipart/form-data; boundary=${boundary}`

/** A text field, or with `fileName` a file; `fileName` is written between the quotes without escaping. */
export interface Part {
  name: string
  value: string | Buffer
  fileName?: string
}

function partHead({ name, fileName }: Part): string {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`
  const type = fileName === undefined ? '' : 'Content-Type: application/octet-stream\r\n'
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`
}

const piecesOf = (part: Part): Buffer[] => [
  Buffer.from(partHead(part)),
  typeof part.value === 'string' ? Buffer.from(part.value) : part.value,
  Buffer.from('\r\n'),
]

/** The parts without the closing boundary, like a client sends them that breaks off. */
export const openParts = (parts: readonly Part[]): Buffer => Buffer.concat(parts.flatMap(piecesOf))

/** A complete body. */
export const multipartBody = (parts: readonly Part[]): Buffer =>
  Buffer.concat([...parts.flatMap(piecesOf), Buffer.from(`--${boundary}--\r\n`)])

/** The start of a file part, without the file's bytes. */
export const fileStart = (fileName: string): Buffer => Buffer.from(partHead({ name: 'file', value: '', fileName }))
