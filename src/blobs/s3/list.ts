/** Lists what is in the store, page by page. */
import type { S3Client } from './client.ts'
import { explain, readAnswer } from './failures.ts'
import { childrenOf, type Element, textOf } from './xml.ts'

interface Listed {
  /** Below the prefix of the list. */
  name: string
  /** ms, UTC. */
  modifiedAt: number
  /** In bytes; NaN if the store does not tell. */
  size: number
}

/** Pages in a row without anything new, after which a list has no end. */
const mostIdlePages = 100

type Query = Record<string, string>

/**
 * Reads a list page by page: `next` says what to ask for the page after one. Throws `unavailable` for a list that does not
 * go on: stores list keys in their order, so each page has greater ones than the last.
 */
async function* listPages(client: S3Client, first: Query, entry: string, next: (page: Element) => Query) {
  let query = first
  let last = ''
  for (let idle = 0; idle < mostIdlePages; ) {
    const page = readAnswer((await client.ask({ method: 'GET', query })).text)
    const found = childrenOf(page, entry)
    yield* found
    if (textOf(page, 'IsTruncated') !== 'true') return
    const end = found.map(item => `${textOf(item, 'Key')} ${textOf(item, 'UploadId') ?? ''}`).at(-1) ?? ''
    idle = end > last ? 0 : idle + 1
    if (end > last) last = end
    query = { ...first, ...next(page) }
  }
  throw explain(new Error('the object store lists without an end'))
}

/** The end of a listed key, below what all of them begin with; empty for a key that was not asked for. */
function nameOf(entry: Element, begin: string): string {
  const key = textOf(entry, 'Key') ?? ''
  return key.startsWith(begin) ? key.slice(begin.length) : ''
}

/** Lists the objects whose keys begin with `prefix`. */
export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<Listed> {
  const begin = client.address.prefix + prefix
  const next = (page: Element) => ({ 'continuation-token': textOf(page, 'NextContinuationToken') ?? '' })
  for await (const entry of listPages(client, { 'list-type': '2', prefix: begin }, 'Contents', next)) {
    yield {
      name: nameOf(entry, begin),
      modifiedAt: Date.parse(textOf(entry, 'LastModified') ?? ''),
      size: Number(textOf(entry, 'Size') ?? Number.NaN),
    }
  }
}

interface Unfinished {
  /** Below the prefix of the list. */
  name: string
  uploadId: string
  /** ms, UTC. */
  begunAt: number
}

/** Lists the uploads in parts that were begun and never completed, of keys that begin with `prefix`. */
export async function* listUnfinished(client: S3Client, prefix: string): AsyncGenerator<Unfinished> {
  const begin = client.address.prefix + prefix
  const next = (page: Element) => ({
    'key-marker': textOf(page, 'NextKeyMarker') ?? '',
    'upload-id-marker': textOf(page, 'NextUploadIdMarker') ?? '',
  })
  for await (const entry of listPages(client, { uploads: '', prefix: begin }, 'Upload', next)) {
    yield {
      name: nameOf(entry, begin),
      uploadId: textOf(entry, 'UploadId') ?? '',
      begunAt: Date.parse(textOf(entry, 'Initiated') ?? ''),
    }
  }
}
