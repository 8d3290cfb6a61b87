/** Single objects: their size, and their removal. */

import { systemCode } from '../../base/errors.ts'
import type { S3Answer, S3Client } from './client.ts'
import { explain, readRefusal, required } from './failures.ts'

/** The number of bytes of an object. Rejects with ENOENT for a missing one. */
export async function sizeOfObject(
  client: S3Client,
  key: string,
  options?: { tries?: number; within?: number; trusts404?: boolean },
): Promise<number> {
  const { headers, body } = await client.send({ method: 'HEAD', key, ...options })
  await body.dump()
  return Number(required(headers['content-length'], 'a length'))
}

/** Throws `unavailable` unless an object has this many bytes, whatever the store has answered before. */
export async function requireSize(client: S3Client, key: string, size: number): Promise<void> {
  const stored = await sizeOfObject(client, key)
  if (stored !== size) throw explain(new Error(`the object store kept ${stored} of ${size} bytes`))
}

/** The ETag of what was written. Throws `unavailable` if there is none: then nothing was written. */
export const etagOf = (headers: S3Answer['headers']): string => required(headers.etag, 'an ETag')

/** Resolves with undefined in place of an error about missing bytes. */
export function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error
}

/** Removes an object; a missing one is no error. */
export async function removeObject(client: S3Client, key: string): Promise<void> {
  await client.ask({ method: 'DELETE', key }).catch(ignoreMissing)
}

/** Throws the failure that an answer tells in its body: some services answer 200 before they begin to work. */
export function refuseLateError(text: string): void {
  if (/<Error[\s>]/.test(text)) throw explain(readRefusal(500, text))
}
