/** Calls for the bytes of files: downloads, previews, thumbnails and ZIP files. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { bytes, endpoint } from './endpoint.ts'
import { itemIds, onlyId, textId } from './fields.ts'
import { thumbnailSize } from './limits.ts'

export const downloadFile = endpoint('GET', '/files/:id/download', onlyId).returns(
  bytes,
  about("Download a file's bytes", {
    remark: 'Always an attachment. The ETag is the SHA-256 of the bytes; one Range is served.',
    errors: ['range_not_satisfiable'],
  }),
)
export const previewFile = endpoint('GET', '/files/:id/preview', onlyId).returns(
  bytes,
  about("Show a file's bytes in the browser", {
    remark: 'For images, text, PDF, video and audio; what a browser could run is sent as plain text.',
    errors: ['range_not_satisfiable', 'unsupported_media'],
  }),
)
/** A WebP image; its longer side has at most 512 pixels. */
export const getThumbnail = endpoint('GET', '/files/:id/thumbnail', onlyId).returns(
  bytes,
  about(`Get an image's thumbnail: WebP of at most ${thumbnailSize} pixels`, {
    errors: ['storage_full'],
    contentType: 'image/webp',
  }),
)

/** A folder's content as a ZIP file. */
export const archiveFolder = endpoint('GET', '/files/:id/archive', onlyId).returns(
  bytes,
  about("Download a folder's content as a ZIP file", { contentType: 'application/zip' }),
)

/** The ids of a form's `ids=1&ids=2`; a single id arrives as a plain value, not as a list. */
export const formIds = z.pipe(
  z.pipe(
    z.union([z.array(textId), textId], 'Expected a list of ids'),
    z.transform(value => (Array.isArray(value) ? value : [value])),
  ),
  itemIds,
)

/** Several items as one ZIP file, each at its top level. Also takes an HTML form, so a browser can save the stream. */
export const archiveItems = endpoint(
  'POST',
  '/files/archive',
  z.strictObject({ ids: itemIds }),
  'json',
  z.strictObject({ ids: formIds }),
).returns(bytes, about('Download several items as one ZIP file', { contentType: 'application/zip' }))
