/** A bare client of an object store: the signed requests that a large object takes, and nothing else. */
import { createHash, randomBytes } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import pMap from 'p-map'
import { request } from 'undici'
import type { S3Place } from '../support/s3-service.ts'
import { megabyte } from './client.ts'
import { drain } from './drain.ts'

const part = randomBytes(8 * megabyte)
/** Parts under way, as many as the product has. */
const atOnce = 3

interface Request {
  method: string
  query?: string
  body?: Buffer
}

/** Signs a request as the product does, with the hash of its body. */
async function sign({ address, credentials }: S3Place, name: string, { method, query = '', body }: Request) {
  const { endpoint, bucket, prefix, region } = address
  const hash = createHash('sha256')
    .update(body ?? '')
    .digest('hex')
  const signed = await new AwsV4Signer({
    method,
    url: `${endpoint}/${bucket}/${prefix}${name}${query}`,
    headers: { 'x-amz-content-sha256': hash },
    service: 's3',
    region,
    ...credentials,
  }).sign()
  return { url: signed.url, headers: Object.fromEntries(signed.headers) }
}

async function send(place: S3Place, name: string, asked: Request): Promise<{ text: string; etag: string }> {
  const { url, headers } = await sign(place, name, asked)
  const answer = await request(url, { method: asked.method as 'PUT', headers, body: asked.body ?? null })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`the store answered ${answer.statusCode}: ${text}`)
  return { text, etag: String(answer.headers.etag) }
}

/** Writes an object of `size` bytes in parts, each signed with its hash. */
export async function putObject(place: S3Place, name: string, size: number): Promise<void> {
  const { text } = await send(place, name, { method: 'POST', query: '?uploads=' })
  const id = encodeURIComponent(/<UploadId>([^<]+)/.exec(text)?.[1] ?? '')
  const numbers = Array.from({ length: Math.ceil(size / part.length) }, (_, index) => index + 1)
  const etags = await pMap(
    numbers,
    async number => {
      const query = `?partNumber=${number}&uploadId=${id}`
      return (await send(place, name, { method: 'PUT', query, body: part })).etag
    },
    { concurrency: atOnce },
  )
  const list = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
  const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
  await send(place, name, { method: 'POST', query: `?uploadId=${id}`, body })
}

/** Reads an object to its end; returns its size. */
export async function getObject(place: S3Place, name: string): Promise<number> {
  const { url, headers } = await sign(place, name, { method: 'GET' })
  return drain({ url: url.origin, headers }, url.pathname)
}
