/** Writes objects of any length: in one request, or in equal parts. */
import { systemCode } from '../../base/errors.ts'
import type { S3Body } from './body.ts'
import { cleanUp, type S3Client } from './client.ts'
import { explain } from './failures.ts'
import { type Multipart, openMultipart } from './multipart.ts'
import { etagOf } from './objects.ts'
import type { OpenParts, Part } from './parts.ts'
import type { OpenSending } from './sending.ts'

/** Bytes of the smallest part: up to this size an object is sent in one request. */
const leastPart = 8 * 1024 ** 2
/** The most parts of an object (Amazon S3 User Guide, "Multipart upload limits"). */
const mostParts = 10_000

/** The size of the parts in which objects of at most `largest` bytes are sent. */
export const partSizeFor = (largest: number): number => Math.max(leastPart, Math.ceil(largest / mostParts))

/** How the objects of one store are sent. */
export interface Sendings {
  partSize: number
  openParts: OpenParts
  openSending: OpenSending
}

/** Writes an object; when it rejects, nothing is under the key. */
export async function putObject(
  client: S3Client,
  key: string,
  source: AsyncIterable<Buffer>,
  { partSize, openParts, openSending }: Sendings,
): Promise<void> {
  const parts = openParts(partSize)
  const full = parts.fill(source)
  try {
    const first = (await full.next()).value
    if (first === undefined) return await putWhole(client, key, parts.rest())
    const upload = await openMultipart(client, key)
    await putParts(upload, openSending(upload), all(first, full, parts.rest))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    throw explain(new Error('the object store does not know what it is sent', { cause: error }))
  } finally {
    await full.return(undefined)
    await parts.end()
  }
}

async function* all(first: Part, full: AsyncIterable<Part>, rest: () => Part): AsyncGenerator<Part> {
  yield first
  yield* full
  if (rest().size > 0) yield rest()
}

async function putWhole(client: S3Client, key: string, body: S3Body): Promise<void> {
  try {
    etagOf((await client.ask({ method: 'PUT', key, body })).headers)
  } catch (error) {
    // A request without an answer may have been carried out.
    await client.ask({ method: 'DELETE', key, ...cleanUp }).catch(() => undefined)
    throw error
  }
}

async function putParts(
  upload: Multipart,
  { put, settle }: ReturnType<OpenSending>,
  parts: AsyncIterable<Part>,
): Promise<void> {
  try {
    let size = 0
    for await (const part of parts) {
      size += part.size
      await put(part)
    }
    await settle()
    await upload.complete(size)
  } catch (error) {
    await settle().catch(() => undefined)
    await upload.abort()
    throw error
  }
}
