/** Lists what is in the store, page by page. */
import type { S3Client } from './client.ts'
import { childrenOf, parseXml, textOf } from './xml.ts'

interface Listed {
  /** Below the prefix of the list. */
  name: string
  /** ms, UTC. */
  modifiedAt: number
}

/** Lists the objects whose keys begin with `prefix`. */
export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<Listed> {
  const begin = client.address.prefix + prefix
  let token: string | undefined
  do {
    const query = { 'list-type': '2', prefix: begin, ...(token === undefined ? {} : { 'continuation-token': token }) }
    const page = parseXml((await client.ask({ method: 'GET', query })).text)
    for (const entry of childrenOf(page, 'Contents')) {
      yield {
        name: (textOf(entry, 'Key') ?? '').slice(begin.length),
        modifiedAt: Date.parse(textOf(entry, 'LastModified') ?? ''),
      }
    }
    token = textOf(page, 'IsTruncated') === 'true' ? textOf(page, 'NextContinuationToken') : undefined
  } while (token !== undefined)
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
  let after: Record<string, string> | undefined
  do {
    const page = parseXml((await client.ask({ method: 'GET', query: { uploads: '', prefix: begin, ...after } })).text)
    for (const entry of childrenOf(page, 'Upload')) {
      yield {
        name: (textOf(entry, 'Key') ?? '').slice(begin.length),
        uploadId: textOf(entry, 'UploadId') ?? '',
        begunAt: Date.parse(textOf(entry, 'Initiated') ?? ''),
      }
    }
    const isMore = textOf(page, 'IsTruncated') === 'true'
    const [key, id] = [textOf(page, 'NextKeyMarker') ?? '', textOf(page, 'NextUploadIdMarker') ?? '']
    after = isMore ? { 'key-marker': key, 'upload-id-marker': id } : undefined
  } while (after !== undefined)
}
