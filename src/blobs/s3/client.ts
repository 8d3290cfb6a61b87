/** Sends signed requests to an object store, and tries again what failed for a moment. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { type Dispatcher, Pool } from 'undici'
import type { S3Address } from './address.ts'
import type { S3Credentials } from './credentials.ts'
import { explain, isPassing, readRefusal } from './failures.ts'

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Below the address's prefix; undefined for a request about the bucket. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Buffer
  /** How often it is tried; 3 unless told. */
  tries?: number
  signal?: AbortSignal
}

export type S3Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>

export interface S3Client {
  readonly address: S3Address
  /**
   * Resolves with an answer whose status is a success and whose body must be read. Rejects with ENOENT for a missing
   * key, `storage_full`, or `unavailable` after the last try.
   */
  send(request: S3Request): Promise<S3Answer>
  /** The same for an answer that is read as text. */
  ask(request: S3Request): Promise<{ text: string; headers: S3Answer['headers'] }>
}

/** ms; the service answers a connection at once, and then within this time without a byte. */
const timeouts = { connect: 1_000, idle: 30_000 }
/** Requests at once. */
const connections = 64
/** ms before the second and the third try; each is longer by up to half, so that not all come at once. */
const pauses = [100, 400]
/** Bytes of an error that are read. */
const mostErrorBytes = 64 * 1024

const emptyHash = createHash('sha256').digest('hex')
const hashOf = (body: Buffer | undefined): string =>
  body === undefined ? emptyHash : createHash('sha256').update(body).digest('hex')

/** The value of the header `x-amz-copy-source` that names a key. */
export const sourceOf = ({ bucket, prefix }: S3Address, key: string): string => `/${bucket}/${prefix}${key}`

function urlOf({ bucket, prefix, endpoint, style }: S3Address, { key, query = {} }: S3Request): URL {
  const base = new URL(endpoint)
  if (style === 'host') base.hostname = `${bucket}.${base.hostname}`
  const path = key === undefined ? '' : prefix + key
  base.pathname = style === 'host' ? `/${path}` : `/${bucket}${path === '' ? '' : `/${path}`}`
  const asked = new URLSearchParams(query).toString()
  return new URL(asked === '' ? base.href : `${base.href}?${asked}`)
}

async function readText(body: S3Answer['body'], most = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function openS3Client(address: S3Address, credentials: S3Credentials): S3Client {
  const { origin } = urlOf(address, { method: 'GET' })
  const pool = new Pool(origin, {
    connections,
    connect: { timeout: timeouts.connect },
    headersTimeout: timeouts.idle,
    bodyTimeout: timeouts.idle,
  })

  async function sendOnce(request: S3Request): Promise<S3Answer> {
    const { method, body, signal } = request
    // Signing the hash makes the service refuse a body that was changed on its way.
    const headers = { ...request.headers, 'x-amz-content-sha256': hashOf(body) }
    const url = urlOf(address, request).href
    const signed = await new AwsV4Signer({
      method,
      url,
      headers,
      service: 's3',
      region: address.region,
      ...credentials,
    }).sign()
    const answer = await pool.request({
      method,
      path: signed.url.href.slice(origin.length),
      headers: Object.fromEntries(signed.headers),
      body: body ?? null,
      ...(signal && { signal }),
    })
    if (answer.statusCode < 300) return answer
    throw readRefusal(answer.statusCode, await readText(answer.body, mostErrorBytes))
  }

  async function send(request: S3Request): Promise<S3Answer> {
    const { tries = pauses.length + 1, signal } = request
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendOnce(request)
      } catch (error) {
        if (signal?.aborted) throw error
        if (attempt >= tries || !isPassing(error)) throw explain(error)
        await sleep((pauses[attempt - 1] ?? 0) * (1 + Math.random() / 2))
      }
    }
  }

  return {
    address,
    send,
    ask: async request => {
      const { body, headers } = await send(request)
      return { text: await readText(body), headers }
    },
  }
}
