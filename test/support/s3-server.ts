/**
 * An object store for tests, in memory. It checks each signature (AWS Signature Version 4) and the hash of each body, as
 * a real service does, and can be told to fail.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Address } from '../../src/blobs/s3/address.ts'
import { readBytes } from './read-bytes.ts'
import { checkSignature, Refusal, s3Credentials } from './s3-signature.ts'

export { s3Credentials }

interface Stored {
  bytes: Buffer
  modifiedAt: number
}

interface Unfinished {
  key: string
  parts: Map<number, Buffer>
  begunAt: number
}

/**
 * What happens to a request: a status, an answer that breaks at once or after half of its bytes, none at all, or whatever
 * a test writes.
 */
export type S3Fate =
  | 'serve'
  | 'break'
  | 'break midway'
  | 'hang'
  | { status: number; code?: string; location?: string }
  | { lie: (response: ServerResponse) => void }

export interface S3Server {
  address: S3Address
  /** The value of `--storage`. */
  flag: string
  /** By key. */
  objects: Map<string, Stored>
  /** By upload id. */
  uploads: Map<string, Unfinished>
  /** Method and path with query of each request, in order. */
  requests: string[]
  /** The header `Authorization` of each request, in order. */
  authorizations: string[]
  /** How many answers have begun and not ended: each holds a connection. */
  openAnswers: () => number
  /** Decides about each request; all are served unless a test sets it. */
  decide: (name: string) => S3Fate
  close(): Promise<void>
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

/** Kept, because to hash a large object at each read would take longer than to send it. */
const etags = new WeakMap<Buffer, string>()
function etagOf(bytes: Buffer, hash = () => sha256(bytes)): string {
  const etag = etags.get(bytes) ?? `"${hash().slice(0, 32)}"`
  etags.set(bytes, etag)
  return etag
}

/** Headers that a signed address gives its answer. */
const overridesIn = ({ searchParams }: URL): Record<string, string> =>
  Object.fromEntries(
    [...searchParams].flatMap(([name, value]) =>
      name.startsWith('response-') ? [[name.slice('response-'.length), value]] : [],
    ),
  )

const tag = (name: string, text: string | number): string =>
  `<${name}>${String(text).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}</${name}>`
const document = (name: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`

export const s3Bucket = 'files'

/** The environment of a server that uses the store. */
export const s3Environment = {
  FILESTORE_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
  FILESTORE_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
}

export async function startS3Server({ pageSize = 1000 } = {}): Promise<S3Server> {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, Unfinished>()
  const requests: string[] = []
  const authorizations: string[] = []
  const answers = new Set<ServerResponse>()

  const find = (key: string): Stored => {
    const found = objects.get(key)
    if (found === undefined) throw new Refusal(404, 'NoSuchKey')
    return found
  }
  const findUpload = (id: string | null): Unfinished => {
    const found = uploads.get(id ?? '')
    if (found === undefined) throw new Refusal(404, 'NoSuchUpload')
    return found
  }
  const save = (key: string, bytes: Buffer): string => {
    objects.set(key, { bytes, modifiedAt: Date.now() })
    return etagOf(bytes)
  }
  const sourceOf = (request: IncomingMessage): Buffer | undefined => {
    const source = request.headers['x-amz-copy-source']
    if (source === undefined) return undefined
    const { bytes } = find(decodeURIComponent(String(source)).replace(`/${s3Bucket}/`, ''))
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers['x-amz-copy-source-range'] ?? '')) ?? []
    return start === undefined ? bytes : bytes.subarray(Number(start), Number(end) + 1)
  }

  function list(url: URL): string {
    const prefix = url.searchParams.get('prefix') ?? ''
    const after = url.searchParams.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter(key => key.startsWith(prefix) && key > after).sort()
    const page = keys.slice(0, pageSize)
    const isMore = keys.length > page.length
    const entries = page.map(key => {
      const { bytes, modifiedAt } = find(key)
      const [size, time] = [tag('Size', bytes.length), tag('LastModified', new Date(modifiedAt).toISOString())]
      return `<Contents>${tag('Key', key)}${time}${tag('ETag', etagOf(bytes))}${size}</Contents>`
    })
    const next = isMore ? tag('NextContinuationToken', page.at(-1) ?? '') : ''
    return document('ListBucketResult', `${tag('IsTruncated', String(isMore))}${next}${entries.join('')}`)
  }

  function listUploads(url: URL): string {
    const prefix = url.searchParams.get('prefix') ?? ''
    const entries = [...uploads]
      .filter(([, { key }]) => key.startsWith(prefix))
      .map(([id, { key, begunAt }]) => {
        const begun = tag('Initiated', new Date(begunAt).toISOString())
        return `<Upload>${tag('Key', key)}${tag('UploadId', id)}${begun}</Upload>`
      })
    return document('ListMultipartUploadsResult', `${tag('IsTruncated', 'false')}${entries.join('')}`)
  }

  function complete(id: string | null, body: Buffer): string {
    const { key, parts } = findUpload(id)
    const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)]
    const list = wanted.map(([, number, etag]) => {
      const part = parts.get(Number(number))
      if (part === undefined || etagOf(part) !== etag) throw new Refusal(400, 'InvalidPart')
      return part
    })
    if (list.slice(0, -1).some(part => part.length < 5 * 1024 ** 2)) throw new Refusal(400, 'EntityTooSmall')
    if (new Set(list.slice(0, -1).map(part => part.length)).size > 1) throw new Refusal(400, 'InvalidPart')
    uploads.delete(id ?? '')
    const whole = Buffer.concat(list)
    // As a real service does, which does not read the parts again.
    etagOf(whole, () => sha256(list.map(part => etagOf(part)).join()))
    return document('CompleteMultipartUploadResult', tag('ETag', save(key, whole)))
  }

  function post(key: string, url: URL, body: Buffer): string {
    if (!url.searchParams.has('uploads')) return complete(url.searchParams.get('uploadId'), body)
    const id = `upload-${uploads.size}-${Math.random()}`
    uploads.set(id, { key, parts: new Map(), begunAt: Date.now() })
    return document('InitiateMultipartUploadResult', tag('UploadId', id))
  }

  function put(key: string, url: URL, request: IncomingMessage, body: Buffer): { etag: string; text: string } {
    const source = sourceOf(request)
    const number = url.searchParams.get('partNumber')
    const bytes = source ?? body
    if (number !== null) findUpload(url.searchParams.get('uploadId')).parts.set(Number(number), bytes)
    const etag = number === null ? save(key, bytes) : etagOf(bytes)
    return { etag, text: source === undefined ? '' : document('CopyObjectResult', tag('ETag', etag)) }
  }

  function sendObject(key: string, request: IncomingMessage, response: ServerResponse, isHalf: boolean): void {
    const { bytes, modifiedAt } = find(key)
    const etag = etagOf(bytes)
    const match = request.headers['if-match']
    if (match !== undefined && match !== etag) throw new Refusal(412, 'PreconditionFailed')
    const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    if (start !== undefined && Number(start) >= bytes.length) throw new Refusal(416, 'InvalidRange')
    const part = start === undefined ? bytes : bytes.subarray(Number(start), end === '' ? undefined : Number(end) + 1)
    const last = Number(start) + part.length - 1
    response.writeHead(start === undefined ? 200 : 206, {
      etag,
      ...(start !== undefined && { 'content-range': `bytes ${start}-${last}/${bytes.length}` }),
      'content-length': part.length,
      'last-modified': new Date(modifiedAt).toUTCString(),
      ...overridesIn(new URL(request.url ?? '', 'http://store')),
    })
    if (request.method === 'HEAD') response.end()
    else if (isHalf) response.write(part.subarray(0, part.length / 2), () => response.destroy())
    else response.end(part)
  }

  function serve(request: IncomingMessage, response: ServerResponse, body: Buffer, isHalf: boolean): void {
    const url = new URL(request.url ?? '', 'http://store')
    const hash = checkSignature(request, url, body)
    etagOf(body, () => hash)
    const [, bucket, ...rest] = url.pathname.split('/')
    if (bucket !== s3Bucket) throw new Refusal(404, 'NoSuchBucket')
    const key = decodeURIComponent(rest.join('/'))
    const xml = (text: string) => void response.writeHead(200, { 'content-type': 'application/xml' }).end(text)
    if (key === '') {
      if (request.method === 'HEAD') return void response.writeHead(200).end()
      xml(url.searchParams.has('uploads') ? listUploads(url) : list(url))
      return
    }
    switch (request.method) {
      case 'PUT': {
        const { etag, text } = put(key, url, request, body)
        return void response.writeHead(200, { etag }).end(text)
      }
      case 'POST':
        xml(post(key, url, body))
        return
      case 'DELETE':
        if (url.searchParams.has('uploadId')) uploads.delete(url.searchParams.get('uploadId') ?? '')
        else objects.delete(key)
        return void response.writeHead(204).end()
      default:
        sendObject(key, request, response, isHalf)
    }
  }

  const refuse = (response: ServerResponse, status: number, code: string, location?: string): void =>
    void response
      .writeHead(status, { 'content-type': 'application/xml', ...(location !== undefined && { location }) })
      .end(document('Error', tag('Code', code)))

  const store = createServer((request, response) => {
    const name = `${request.method} ${request.url}`
    answers.add(response)
    response.once('close', () => answers.delete(response))
    requests.push(name)
    authorizations.push(request.headers.authorization ?? '')
    const fate = server.decide(name)
    if (fate === 'break') return void request.socket.destroy()
    readBytes(request)
      .then(body => {
        if (fate === 'hang') return
        if (typeof fate === 'object' && 'lie' in fate) return fate.lie(response)
        if (typeof fate === 'object') return refuse(response, fate.status, fate.code ?? 'InternalError', fate.location)
        serve(request, response, body, fate === 'break midway')
      })
      .catch(error => {
        if (error instanceof Refusal) refuse(response, error.status, error.code)
        else response.destroy()
      })
  })
  await new Promise<void>(resolve => store.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`
  const server: S3Server = {
    address: {
      bucket: s3Bucket,
      prefix: 'here/',
      endpoint,
      region: 'us-east-1',
      style: 'path',
      ca: null,
      public: null,
      redirect: false,
    },
    flag: `s3://${s3Bucket}/here?endpoint=${endpoint}`,
    objects,
    uploads,
    requests,
    authorizations,
    openAnswers: () => answers.size,
    decide: () => 'serve',
    close: async () => {
      store.closeAllConnections()
      await new Promise<void>(resolve => store.close(() => resolve()))
    },
  }
  return server
}
