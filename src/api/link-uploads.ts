/** The calls by which a link's visitors send files in several requests, as those of tus.ts for users. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint, noBody } from './endpoint.ts'
import { maxLinkUploads, maxVisitorUploads } from './limits.ts'
import { fileMetadata, uploadId } from './tus.ts'
import { sha256Text } from './upload-many.ts'
import { sender, sentFile, token } from './visits.ts'

const onlyToken = z.strictObject({ token })
const onlyUpload = z.strictObject({ token, id: uploadId })

/** The values of Upload-Metadata, decoded. Visitors neither choose a folder nor replace anything. */
export const linkUploadMetadata = z.strictObject({ ...fileMetadata, sender: z.optional(sender) })

export type LinkUploadMetadata = z.output<typeof linkUploadMetadata>

const everywhere = ['forbidden', 'not_found', 'password_required', 'precondition_failed', 'locked'] as const
const sending = ['file_too_large', 'quota_exceeded', 'unsupported_media', 'checksum_mismatch'] as const

export const createLinkUpload = endpoint('POST', '/s/:token/uploads', onlyToken, 'bytes').returns(
  noBody,
  about('Begin a resumable upload into the folder of a link', {
    remark: `As \`POST /uploads\`. At most ${maxVisitorUploads} from an address and ${maxLinkUploads} by a link may be unfinished.`,
    errors: [...everywhere, ...sending, 'in_use', 'body_too_large'],
    statuses: [201],
  }),
)

export const findLinkUpload = endpoint('HEAD', '/s/:token/uploads/:id', onlyUpload).returns(
  noBody,
  about('Ask how far a resumable upload to a link has come', {
    remark: 'It is 409 when all bytes are there and could not become a file.',
    errors: [...everywhere, 'offset_mismatch'],
  }),
)

export const appendLinkUpload = endpoint('PATCH', '/s/:token/uploads/:id', onlyUpload, 'bytes').returns(
  noBody,
  about('Send more of a resumable upload to a link', {
    remark: 'With the last byte it becomes a file.',
    errors: [...everywhere, ...sending, 'offset_mismatch'],
    statuses: [204],
  }),
)

export const discardLinkUpload = endpoint('DELETE', '/s/:token/uploads/:id', onlyUpload).returns(
  noBody,
  about('Discard a resumable upload to a link with its bytes', { errors: everywhere, statuses: [204] }),
)

export const finishLinkUpload = endpoint(
  'POST',
  '/s/:token/uploads/:id/finish',
  z.strictObject({ token, id: uploadId, sha256: z.optional(sha256Text) }),
).returns(
  sentFile,
  about('Make a resumable upload to a link a file that could not become one, or that waits for it', {
    remark:
      'The answer tells only the name and size as they were sent. It is 200 if the upload has become a file before.',
    errors: [
      'forbidden',
      'not_found',
      'password_required',
      'quota_exceeded',
      'offset_mismatch',
      'checksum_mismatch',
      'locked',
    ],
    statuses: [200, 201],
  }),
)
