/** Sends signed requests to an object store, and tries again what failed for a moment. */
import { X509Certificate } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { type Dispatcher, Pool } from 'undici'
import { AppError } from '../../base/errors.ts'
import { readTextSync } from '../../base/read-text.ts'
import type { S3Address } from './address.ts'
import { bodyOf, hashOf, type S3Body, sendPieces } from './body.ts'
import type { S3Credentials } from './credentials.ts'
import { explain, isPassing, readRefusal, S3Refusal } from './failures.ts'

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Below the address's prefix; undefined for a request about the bucket. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Buffer | S3Body
  /** How often it is tried; 3 unless told. */
  tries?: number
  /** ms after the last byte was sent within which the answer must come, and all of a text; 25 s unless told. */
  within?: number
  /** Take a 404 of HEAD at its word; otherwise a GET must confirm it, because a proxy may have said so. */
  trusts404?: boolean
}

export type S3Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>

export interface S3Client {
  readonly address: S3Address
  /**
   * Resolves with an answer whose status is a success and whose body must be read. Rejects with ENOENT for a missing
   * key, `storage_full`, or `unavailable` after the last try.
   */
  send(request: S3Request): Promise<S3Answer>
  /** The same for an answer that is read as text. Rejects with `unavailable` for one of more than 4 MiB, too. */
  ask(request: S3Request): Promise<{ text: string; headers: S3Answer['headers'] }>
  /** Signs an address at which anybody may get a key for so many seconds, with this query and nothing else. */
  sign(key: string, query: Readonly<Record<string, string>>, seconds: number): Promise<string>
}

/** ms; the service answers a connection at once, and sends an object without a longer pause. */
const timeouts = { connect: 1_000, idle: 30_000 }
/** ms for all tries of a request, beside the time that its bytes take; what is cleaned up after it may take 10 s more. */
const patience = 25_000
/** For requests that clean up after a failed one: tried once, because the store may be away, and for this many ms. */
export const cleanUp = { tries: 1, within: 3_000 }
/**
 * Requests at once: those whose answers are passed on to readers, and all others. They are apart, because whoever reads
 * may leave an answer unread, and nobody else's upload is to wait for that.
 */
const connections = { passedOn: 256, own: 64 }
/** ms before the second and the third try; each is longer by up to half, so that not all come at once. */
const pauses = [100, 400]
/** Bytes of an error that are read. */
const mostErrorBytes = 64 * 1024
/** Bytes of a text; a page of a list, which is the longest, has a thousand keys. */
const mostTextBytes = 4 * 1024 ** 2
/** Bytes of a file of certificates; that of all authorities which browsers trust has 0.2 MB. */
const mostCertificateBytes = 4 * 1024 ** 2

const noBody = bodyOf(Buffer.alloc(0))

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

/** Reads the beginning of an answer: hardly more than `most` bytes. */
async function readHead(body: S3Answer['body'], most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  return Buffer.concat(chunks)
}

async function readText({ body, headers }: S3Answer): Promise<{ text: string; headers: S3Answer['headers'] }> {
  const bytes = await readHead(body, mostTextBytes)
  if (bytes.length > mostTextBytes) throw new Error('the object store answered more than a list can have')
  return { text: bytes.toString('utf8'), headers }
}

/** A service may repeat what it was sent, to explain a refusal, which the log tells. */
function hideSecrets(text: string, { secretAccessKey, sessionToken }: S3Credentials, authorization: string | null) {
  const signature = /Signature=(\w+)/.exec(authorization ?? '')?.[1] ?? secretAccessKey
  const secrets = [secretAccessKey, sessionToken ?? secretAccessKey, signature]
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
}

/** Reads the authority's certificates. Throws `invalid_input` if there are none. */
function readCertificates(file: string): string {
  try {
    const text = readTextSync(file, mostCertificateBytes)
    new X509Certificate(text)
    return text
  } catch (cause) {
    throw new AppError('invalid_input', `--storage: ca=${file} is no readable file of certificates (PEM)`, { cause })
  }
}

/** Ends an answer of which nothing more is read, and with it its connection, which would wait for its reader. */
export function giveUp({ body }: S3Answer): void {
  // undici reports this as an error, which would end the process where nobody listens.
  body.on('error', () => undefined).destroy()
}

export function openS3Client(address: S3Address, credentials: S3Credentials): S3Client {
  const { origin } = urlOf(address, { method: 'GET' })
  const options = {
    connect: { timeout: timeouts.connect, ...(address.ca !== null && { ca: readCertificates(address.ca) }) },
    headersTimeout: timeouts.idle,
    bodyTimeout: timeouts.idle,
  }
  const passedOn = new Pool(origin, { ...options, connections: connections.passedOn })
  const own = new Pool(origin, { ...options, connections: connections.own })

  async function sendOnce(pool: Pool, request: S3Request, signal: AbortSignal, onSent: () => void): Promise<S3Answer> {
    const { method } = request
    const body = Buffer.isBuffer(request.body) ? bodyOf(request.body) : request.body
    // Signing the hash makes the service refuse a body that was changed on its way.
    const headers = { ...request.headers, 'x-amz-content-sha256': await hashOf(body ?? noBody) }
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
      headers: { ...Object.fromEntries(signed.headers), ...(body && { 'content-length': String(body.size) }) },
      body: body === undefined ? null : Readable.from(sendPieces(body, onSent)),
      signal,
    })
    if (answer.statusCode < 300) return answer
    const text = (await readHead(answer.body, mostErrorBytes)).toString('utf8')
    const refusal = readRefusal(answer.statusCode, hideSecrets(text, credentials, signed.headers.get('authorization')))
    const isUnnamed = method === 'HEAD' && request.key !== undefined && answer.statusCode === 404
    throw isUnnamed ? await findReason(pool, request, signal, refusal) : refusal
  }

  /** A GET tells a missing key from a proxy that does not know the store; the answer to a HEAD has no body that could. */
  async function findReason(pool: Pool, request: S3Request, signal: AbortSignal, refusal: S3Refusal): Promise<unknown> {
    if (request.trusts404) return new S3Refusal(404, 'NoSuchKey', refusal.message)
    try {
      const headers = { range: 'bytes=0-0' }
      giveUp(await sendOnce(pool, { ...request, method: 'GET', headers }, signal, () => undefined))
      return refusal
    } catch (error) {
      // An empty object has no first byte.
      return error instanceof S3Refusal && error.status === 416 ? refusal : error
    }
  }

  /** Sends a request until `read` has got what it needs of an answer. */
  async function tryOn<Result>(
    pool: Pool,
    request: S3Request,
    read: (answer: S3Answer) => Promise<Result>,
  ): Promise<Result> {
    const { tries = pauses.length + 1, within = patience } = request
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), within)
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await read(await sendOnce(pool, request, late.signal, () => timer.refresh()))
        } catch (error) {
          if (attempt >= tries || late.signal.aborted || !isPassing(error)) throw explain(error)
          await sleep((pauses[attempt - 1] ?? 0) * (1 + Math.random() / 2))
        }
      }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    address,
    send: request => tryOn(request.method === 'GET' ? passedOn : own, request, async answer => answer),
    ask: request => tryOn(own, request, readText),
    sign: async (key, query, seconds) => {
      const place = { ...address, endpoint: address.public ?? address.endpoint }
      const url = urlOf(place, { method: 'GET', key, query: { ...query, 'X-Amz-Expires': String(seconds) } }).href
      const options = { method: 'GET', url, service: 's3', region: address.region, signQuery: true, ...credentials }
      // In a query a plus is a space to some services, and a plus to others.
      return (await new AwsV4Signer(options).sign()).url.href.replaceAll('+', '%20')
    },
  }
}
