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

/** What a request claims about its signature. */
interface Claim {
  /** Date, region and service. */
  scope: string
  /** Names of the headers that are signed. */
  signed: string
  signature: string
  /** When it was signed, as in `20260131T120000Z`. */
  at: string
  bodyHash: string
}

function readHeaders(headers: IncomingMessage['headers'], body: Buffer): Claim {
  const [, scope = '', signed = '', signature = ''] =
    /Credential=[^/]+\/(\S+), ?SignedHeaders=(\S+), ?Signature=(\w+)/.exec(headers.authorization ?? '') ?? []
  const bodyHash = String(headers['x-amz-content-sha256'])
  if (bodyHash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch')
  return { scope, signed, signature, at: String(headers['x-amz-date']), bodyHash }
}

/** Reads the claim of a signed address, which holds for some seconds. */
function readQuery(query: URLSearchParams): Claim {
  const get = (name: string) => query.get(`X-Amz-${name}`) ?? ''
  const at = get('Date')
  const signedAt = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)/, '$1-$2-$3:$4:'))
  if (!(Date.now() < signedAt + Number(get('Expires')) * 1000)) throw new Refusal(403, 'AccessDenied')
  const scope = get('Credential').replace(/^[^/]+\//, '')
  return { scope, signed: get('SignedHeaders'), signature: get('Signature'), at, bodyHash: 'UNSIGNED-PAYLOAD' }
}

/**
 * Throws unless a request, or its address, bears the signature of the test's credentials. Returns the hash that it claims
 * of its body.
 */
export function checkSignature({ method, headers }: IncomingMessage, url: URL, body: Buffer): string {
  const { searchParams } = url
  const claim = searchParams.has('X-Amz-Signature') ? readQuery(searchParams) : readHeaders(headers, body)
  const { scope, signed, signature, at, bodyHash } = claim
  const parameters = [...searchParams].filter(([name]) => name !== 'X-Amz-Signature')
  const query = parameters.map(pair => pair.map(encode).join('=')).sort()
  const lines = signed.split(';').map(name => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, url.pathname, query.join('&'), lines.join(''), signed, bodyHash].join('\n')
  const [date = '', region = '', service = ''] = scope.split('/')
  const key = ['aws4_request', service, region, date].reduceRight<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${s3Credentials.secretAccessKey}`,
  )
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')
  if (hmac(key, text).toString('hex') !== signature) throw new Refusal(403, 'SignatureDoesNotMatch')
  return bodyHash
}
