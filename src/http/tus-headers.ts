/** The headers of the resumable upload protocol tus 1.0 (https://tus.io/protocols/resumable-upload). */
import type * as z from 'zod/mini'
import type { Caller } from '../access/actor.ts'
import { maxUploadMetadataBytes } from '../api/limits.ts'
import { AppError, invalidField } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import type { RawParts } from '../route.ts'
import type { Addition } from '../uploads/contract.ts'

const version = '1.0.0'
const extensions = ['creation', 'creation-with-upload', 'expiration', 'checksum', 'termination']
/** Bytes of the digests. */
const algorithms = { sha1: 20, sha256: 32 } as const
const bytesType = 'application/offset+octet-stream'

/** Headers of every answer; those of a refused version name the one that is spoken here. */
export const answered = { 'Tus-Resumable': version, 'Tus-Version': version }

type Headers = RawParts<Caller>['headers']

export const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

export function requireVersion(headers: Headers): void {
  if (headerOf(headers, 'tus-resumable') === version) return
  throw new AppError('precondition_failed', `Send the header Tus-Resumable: ${version}`)
}

/** A number of bytes. Throws `invalid_input`. */
export function readBytes(headers: Headers, name: string): number {
  const text = headerOf(headers, name.toLowerCase()) ?? ''
  const bytes = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(bytes)) throw invalidField(name, `${name} is not a number of bytes`)
  return bytes
}

export const hasBytes = (headers: Headers): boolean =>
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

/** Reads Upload-Metadata by its schema. Throws `body_too_large` and `invalid_input`. */
export function readMetadata<Schema extends z.ZodMiniType>(schema: Schema, header: string): z.output<Schema> {
  if (header.length > maxUploadMetadataBytes) {
    throw new AppError('body_too_large', `Upload-Metadata is larger than ${maxUploadMetadataBytes / 1024} KB`)
  }
  return parseInput(schema, header === '' ? {} : readPairs(header))
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

/** The bytes that a request brings. Throws `invalid_input`. */
export const additionOf = (
  { headers, contentLength, chunks, cut }: Omit<RawParts<Caller>, 'confirm' | 'countStored'>,
  offset: number,
): Addition => ({ offset, length: contentLength, chunks, checksum: readChecksum(headers), cut })

export const wrongType = (): AppError => new AppError('unsupported_media', `Send the bytes as ${bytesType}`)

/** What `OPTIONS` tells of the protocol here. */
export const describeTus = (maxFileSize: number): Record<string, string> => ({
  'Tus-Version': version,
  'Tus-Extension': extensions.join(','),
  'Tus-Checksum-Algorithm': Object.keys(algorithms).join(','),
  'Tus-Max-Size': String(maxFileSize),
})
