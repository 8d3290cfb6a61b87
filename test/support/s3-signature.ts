/** Checks signatures as a real object store does: AWS Signature Version 4, and the hash of each body. */
import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What the store refuses, with its own code. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code)
  }
}

export const s3Credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret/+=' }

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** Throws unless a request bears the signature of the test's credentials. */
export function checkSignature({ method, headers }: IncomingMessage, url: URL, body: Buffer): void {
  const [, scope = '', signed = '', signature] =
    /Credential=[^/]+\/(\S+), ?SignedHeaders=(\S+), ?Signature=(\w+)/.exec(headers.authorization ?? '') ?? []
  const hash = String(headers['x-amz-content-sha256'])
  if (hash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch')
  const query = [...url.searchParams].map(pair => pair.map(encode).join('=')).sort()
  const lines = signed.split(';').map(name => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, url.pathname, query.join('&'), lines.join(''), signed, hash].join('\n')
  const [date = '', region = '', service = ''] = scope.split('/')
  const key = ['aws4_request', service, region, date].reduceRight<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${s3Credentials.secretAccessKey}`,
  )
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  if (hmac(key, text).toString('hex') !== signature) throw new Refusal(403, 'SignatureDoesNotMatch')
}
