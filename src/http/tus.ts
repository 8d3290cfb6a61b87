/** The resumable upload protocol tus 1.0 (https://tus.io/protocols/resumable-upload): its headers. */

import { maxUploadMetadataBytes } from '../api/limits.ts'
import * as api from '../api/tus.ts'
import { AppError, invalidField } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import type { UploadTarget } from '../db/models/uploads.ts'
import type { Deps } from '../deps.ts'
import { uploadName } from '../files/upload.ts'
import { empty } from '../reply.ts'
import { publicRoute, type RawCall, type Route, rawRoute } from '../route.ts'
import type { Addition } from '../uploads/contract.ts'
import type { Upload } from '../uploads/rows.ts'
import { basePath } from './client-address.ts'

const version = '1.0.0'
const extensions = ['creation', 'creation-with-upload', 'expiration', 'checksum', 'termination']
/** Bytes of the digests. */
const algorithms = { sha1: 20, sha256: 32 } as const
const bytesType = 'application/offset+octet-stream'

/** Headers of every answer; those of a refused version name the one that is spoken here. */
const answered = { 'Tus-Resumable': version, 'Tus-Version': version }

type Headers = RawCall<never>['headers']

const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function requireVersion(headers: Headers): void {
  if (headerOf(headers, 'tus-resumable') === version) return
  throw new AppError('precondition_failed', `Send the header Tus-Resumable: ${version}`)
}

/** A number of bytes. Throws `invalid_input`. */
function readBytes(headers: Headers, name: string): number {
  const text = headerOf(headers, name.toLowerCase()) ?? ''
  const bytes = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(bytes)) throw invalidField(name, `${name} is not a number of bytes`)
  return bytes
}

const hasBytes = (headers: Headers): boolean =>
  headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() === bytesType

const utf8 = new TextDecoder('utf-8', { fatal: true })
const pairForm = /^([\x21-\x2b\x2d-\x7e]+)(?: ([A-Za-z0-9+/]*={0,2}))?$/

const badMetadata = (): AppError =>
  invalidField('Upload-Metadata', 'Upload-Metadata is not a list of keys with values in Base64, each key once')

function decode(text: string): string {
  try {
    return utf8.decode(Buffer.from(text, 'base64'))
  } catch (cause) {
    throw new AppError('invalid_input', 'A value of Upload-Metadata is not UTF-8', { cause })
  }
}

function readPairs(text: string): Record<string, string> {
  const pairs = text.split(',').map(pair => pairForm.exec(pair.trim()) ?? [])
  const fields = new Map(pairs.map(([, key = '', value = '']) => [key, decode(value)]))
  if (fields.has('') || fields.size < pairs.length) throw badMetadata()
  return Object.fromEntries(fields)
}

/** Reads where the file is to go. Throws `body_too_large` and `invalid_input`. */
function readTarget(header: string): UploadTarget {
  if (header.length > maxUploadMetadataBytes) {
    throw new AppError('body_too_large', `Upload-Metadata is larger than ${maxUploadMetadataBytes / 1024} KB`)
  }
  const input = parseInput(api.uploadMetadata, header === '' ? {} : readPairs(header))
  const { filename = '', parent_id, finish, filetype: _f, type: _t, relativePath: _r, ...rest } = input
  const name = uploadName(input, filename)
  return { ...rest, name, parent_id: parent_id ?? null, is_explicit: finish === 'explicit' }
}

/** Reads Upload-Checksum. Throws `invalid_input` for an algorithm that is not spoken here. */
function readChecksum(headers: Headers): Addition['checksum'] {
  const text = headerOf(headers, 'upload-checksum')
  if (text === undefined) return null
  const [, algorithm, base64 = ''] = /^(sha1|sha256) ([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const digest = Buffer.from(base64, 'base64')
  if ((algorithm === 'sha1' || algorithm === 'sha256') && digest.length === algorithms[algorithm]) {
    return { algorithm, digest }
  }
  throw invalidField('Upload-Checksum', 'Upload-Checksum is not sha1 or sha256 with a hash in Base64')
}

const additionOf = ({ headers, contentLength, chunks, cut }: RawCall<unknown>, offset: number): Addition => ({
  offset,
  length: contentLength,
  chunks,
  checksum: readChecksum(headers),
  cut,
})

/** Refusals of the first bytes, whose client does not learn the address of the upload. */
const ofFirstBytes = ['checksum_mismatch', 'file_too_large', 'storage_full', 'rate_limited']

export function tusRoutes({ config, uploads }: Deps): Route[] {
  const addressOf = (path: string): string => `${basePath(config)}/api/${path}`

  function progressOf({ received, state, file_id, expires_at }: Upload): Record<string, string> {
    const isDone = state === 'done'
    return {
      'Upload-Offset': String(received),
      ...(isDone ? {} : { 'Upload-Expires': new Date(expires_at).toUTCString() }),
      ...(isDone && file_id !== null ? { 'Content-Location': addressOf(`files/${file_id}`) } : {}),
    }
  }

  async function create(call: RawCall<unknown>): Promise<Upload> {
    const { actor, headers } = call
    const header = headerOf(headers, 'upload-metadata') ?? null
    const [length, target] = [readBytes(headers, 'Upload-Length'), readTarget(header ?? '')]
    const isSending = hasBytes(headers)
    if (!isSending && call.contentLength !== 0 && call.contentLength !== null) throw wrongType()
    const addition = isSending ? additionOf(call, 0) : null
    const upload = await uploads.create(actor, { length, header, target })
    if (addition === null || upload.state !== 'open') return upload
    try {
      return await uploads.append(actor, upload.id, addition, call.confirm)
    } catch (error) {
      if (error instanceof AppError && ofFirstBytes.includes(error.code)) await uploads.discard(actor, upload.id)
      throw error
    }
  }

  return [
    publicRoute(api.describeUploads, async () =>
      empty(204, {
        'Tus-Version': version,
        'Tus-Extension': extensions.join(','),
        'Tus-Checksum-Algorithm': Object.keys(algorithms).join(','),
        'Tus-Max-Size': String(config.maxFileSize),
      }),
    ),
    rawRoute(api.createUpload, 'files:upload', answered, async call => {
      requireVersion(call.headers)
      const upload = await create(call)
      if (upload.state === 'done') call.countStored()
      return empty(201, { Location: addressOf(`uploads/${upload.id}`), ...progressOf(upload) })
    }),
    rawRoute(api.findUpload, 'files:upload', answered, async ({ actor, input, headers }) => {
      requireVersion(headers)
      const upload = await uploads.find(actor, input.id)
      const { length, header } = upload
      return empty(200, {
        ...progressOf(upload),
        'Upload-Length': String(length),
        ...(header === null ? {} : { 'Upload-Metadata': header }),
      })
    }),
    rawRoute(api.appendUpload, 'files:upload', answered, async call => {
      requireVersion(call.headers)
      if (!hasBytes(call.headers)) throw wrongType()
      const addition = additionOf(call, readBytes(call.headers, 'Upload-Offset'))
      const upload = await uploads.append(call.actor, call.input.id, addition, call.confirm)
      if (upload.state === 'done') call.countStored()
      return empty(204, progressOf(upload))
    }),
    rawRoute(api.discardUpload, 'files:upload', answered, async ({ actor, input, headers }) => {
      requireVersion(headers)
      await uploads.discard(actor, input.id)
      return empty(204, {})
    }),
  ]
}

const wrongType = (): AppError => new AppError('unsupported_media', `Send the bytes as ${bytesType}`)
