/** Uploads in parts, which become an object when all have arrived. */
import type { S3Body } from './body.ts'
import { cleanUp, type S3Client } from './client.ts'
import { readAnswer, required } from './failures.ts'
import { etagOf, refuseLateError, requireSize, sizeOfObject } from './objects.ts'
import { textOf } from './xml.ts'

export interface Multipart {
  readonly uploadId: string
  /** Those of the parts so far, in their order. */
  readonly etags: readonly string[]
  /** Sends the next part; parts may be under way at the same time. */
  put(part: S3Body): Promise<void>
  /** Makes the next part a copy, by the headers that name its source. */
  copy(headers: Readonly<Record<string, string>>): Promise<void>
  /** Makes the object of all parts, which must have this many bytes together. */
  complete(size: number): Promise<void>
  /** Drops what has arrived. */
  abort(): Promise<void>
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export async function openMultipart(client: S3Client, key: string): Promise<Multipart> {
  const begun = await client.ask({ method: 'POST', key, query: { uploads: '' } })
  return resumeMultipart(client, key, required(textOf(readAnswer(begun.text), 'UploadId'), 'an upload id'), [])
}

/** Goes on with an upload that has these parts. */
export function resumeMultipart(
  client: S3Client,
  key: string,
  uploadId: string,
  earlier: readonly string[],
): Multipart {
  const etags = [...earlier]
  /** Takes the next number at once, because parts may arrive in another order. */
  const takeQuery = (): { index: number; query: Record<string, string> } => {
    const index = etags.push('') - 1
    return { index, query: { partNumber: String(index + 1), uploadId } }
  }
  return {
    uploadId,
    etags,
    put: async part => {
      const { index, query } = takeQuery()
      const { headers } = await client.ask({ method: 'PUT', key, query, body: part })
      etags[index] = etagOf(headers)
    },
    copy: async headers => {
      const { index, query } = takeQuery()
      const { text } = await client.ask({ method: 'PUT', key, query, headers })
      refuseLateError(text)
      etags[index] = required(textOf(readAnswer(text), 'ETag'), 'an ETag')
    },
    complete: async size => {
      const parts = etags.map(
        (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
      )
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
      await completeOnce(client, key, { uploadId, body })
      await requireSize(client, key, size)
    },
    abort: async () => {
      // What cannot be dropped now is dropped by `removeUnfinished`.
      await client.ask({ method: 'DELETE', key, query: { uploadId }, ...cleanUp }).catch(() => undefined)
    },
  }
}

/** A second try after a lost answer finds no such upload any more: then the size tells whether the first one worked. */
async function completeOnce(client: S3Client, key: string, { uploadId, body }: { uploadId: string; body: Buffer }) {
  try {
    refuseLateError((await client.ask({ method: 'POST', key, query: { uploadId }, body })).text)
  } catch (error) {
    if (!(await isThere(client, key))) throw error
  }
}

/** ms; a store that has just been slow to make the object is asked more than once. */
const patience = { tries: 3, within: 8_000 }

const isThere = (client: S3Client, key: string): Promise<boolean> =>
  sizeOfObject(client, key, patience).then(
    () => true,
    () => false,
  )
