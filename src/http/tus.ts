/** The resumable upload protocol tus 1.0 (https://tus.io/protocols/resumable-upload), for users and visitors of links. */
import type { Caller } from '../access/actor.ts'
import * as visits from '../api/link-uploads.ts'
import * as api from '../api/tus.ts'
import { AppError } from '../base/errors.ts'
import type { UploadTarget } from '../db/models/uploads.ts'
import type { Deps } from '../deps.ts'
import { uploadName } from '../files/upload.ts'
import { targetOf } from '../links/receive.ts'
import { empty } from '../reply.ts'
import {
  type GuestRawCall,
  guestRawRoute,
  publicRoute,
  type RawCall,
  type RawParts,
  type Route,
  rawRoute,
} from '../route.ts'
import type { Upload } from '../uploads/rows.ts'
import { basePath } from './client-address.ts'
import {
  additionOf,
  answered,
  describeTus,
  hasBytes,
  headerOf,
  readBytes,
  readMetadata,
  requireVersion,
  wrongType,
} from './tus-headers.ts'

/** A request, with what differs between users and visitors. */
interface TusCall extends RawParts<Caller> {
  request: { isGone(): boolean }
  actor: Caller
  /** Where uploads begin, relative to the API base. */
  path: string
  /** Reads Upload-Metadata. Throws `body_too_large` and `invalid_input`. */
  readTarget(header: string): UploadTarget
}

/** Refusals of the first bytes, as of a request that is cut off, whose client does not learn the address of the upload. */
const ofFirstBytes = ['checksum_mismatch', 'file_too_large', 'storage_full', 'rate_limited']

function readUserTarget(header: string): UploadTarget {
  const input = readMetadata(api.uploadMetadata, header)
  const { filename = '', parent_id, finish, filetype: _f, type: _t, relativePath: _r, ...rest } = input
  const name = uploadName(input, filename)
  return { ...rest, name, parent_id: parent_id ?? null, is_explicit: finish === 'explicit' }
}

const ofUser = (call: RawCall<unknown>): TusCall => ({ ...call, path: 'uploads', readTarget: readUserTarget })

const ofVisitor = (call: GuestRawCall<{ token: string }>): TusCall => ({
  ...call,
  actor: call.visitor,
  path: `s/${call.input.token}/uploads`,
  readTarget: header => targetOf(call, readMetadata(visits.linkUploadMetadata, header)),
})

export function tusRoutes({ config, uploads }: Deps): Route[] {
  const addressOf = (path: string): string => `${basePath(config)}/api/${path}`

  /** A visitor is not told the file, whose place and name tell of others. */
  function progressOf({ actor }: TusCall, { received, state, file_id, expires_at }: Upload): Record<string, string> {
    const isDone = state === 'done'
    const isNamed = isDone && file_id !== null && actor.link === null
    return {
      'Upload-Offset': String(received),
      ...(isDone ? {} : { 'Upload-Expires': new Date(expires_at).toUTCString() }),
      ...(isNamed ? { 'Content-Location': addressOf(`files/${file_id}`) } : {}),
    }
  }

  async function begin(call: TusCall): Promise<Upload> {
    const { actor, headers } = call
    const header = headerOf(headers, 'upload-metadata') ?? null
    const [length, target] = [readBytes(headers, 'Upload-Length'), call.readTarget(header ?? '')]
    const isSending = hasBytes(headers)
    if (!isSending && call.contentLength !== 0 && call.contentLength !== null) throw wrongType()
    const addition = isSending ? additionOf(call, 0) : null
    const upload = await uploads.create(actor, { length, header, target })
    if (addition === null || upload.state !== 'open') return upload
    try {
      return await uploads.append(actor, upload.id, addition, call.confirm)
    } catch (error) {
      const isRefused = error instanceof AppError && ofFirstBytes.includes(error.code)
      if (isRefused || call.request.isGone()) await uploads.discard(actor, upload.id)
      throw error
    }
  }

  async function create(call: TusCall) {
    requireVersion(call.headers)
    const upload = await begin(call)
    if (upload.state === 'done') call.countStored()
    return empty(201, { Location: addressOf(`${call.path}/${upload.id}`), ...progressOf(call, upload) })
  }

  async function find(call: TusCall, id: string) {
    requireVersion(call.headers)
    const upload = await uploads.find(call.actor, id)
    const { length, header } = upload
    return empty(200, {
      ...progressOf(call, upload),
      'Upload-Length': String(length),
      ...(header === null ? {} : { 'Upload-Metadata': header }),
    })
  }

  async function append(call: TusCall, id: string) {
    requireVersion(call.headers)
    if (!hasBytes(call.headers)) throw wrongType()
    const addition = additionOf(call, readBytes(call.headers, 'Upload-Offset'))
    const upload = await uploads.append(call.actor, id, addition, call.confirm)
    if (upload.state === 'done') call.countStored()
    return empty(204, progressOf(call, upload))
  }

  async function discard({ actor, headers }: TusCall, id: string) {
    requireVersion(headers)
    await uploads.discard(actor, id)
    return empty(204, {})
  }

  return [
    publicRoute(api.describeUploads, async () => empty(204, describeTus(config.maxFileSize))),
    rawRoute(api.createUpload, 'files:upload', answered, call => create(ofUser(call))),
    rawRoute(api.findUpload, 'files:upload', answered, call => find(ofUser(call), call.input.id)),
    rawRoute(api.appendUpload, 'files:upload', answered, call => append(ofUser(call), call.input.id)),
    rawRoute(api.discardUpload, 'files:upload', answered, call => discard(ofUser(call), call.input.id)),
    guestRawRoute(visits.createLinkUpload, answered, call => create(ofVisitor(call))),
    guestRawRoute(visits.findLinkUpload, answered, call => find(ofVisitor(call), call.input.id)),
    guestRawRoute(visits.appendLinkUpload, answered, call => append(ofVisitor(call), call.input.id)),
    guestRawRoute(visits.discardLinkUpload, answered, call => discard(ofVisitor(call), call.input.id)),
  ]
}
