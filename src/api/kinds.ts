/** File kinds, used for storage statistics and icons. */
export const fileKinds = [
  'image',
  'video',
  'audio',
  'pdf',
  'document',
  'sheet',
  'slides',
  'archive',
  'code',
  'other',
] as const
export type FileKind = (typeof fileKinds)[number]

/** Tried in order: the first pattern that matches a MIME type decides its kind. */
const patterns: readonly [FileKind, RegExp][] = [
  ['image', /^image\//],
  ['video', /^video\//],
  ['audio', /^audio\//],
  ['pdf', /^application\/pdf$/],
  ['sheet', /spreadsheet|ms-excel|^text\/(csv|tab-separated-values)$/],
  ['slides', /presentation|ms-powerpoint/],
  ['document', /wordprocessing|msword|opendocument\.text|^application\/(rtf|epub\+zip)$|^text\/(plain|markdown|rtf)$/],
  ['archive', /zip|x-tar|x-7z|rar|gzip|bzip|zstd|x-xz|java-archive|x-apple-diskimage|iso9660/],
  ['code', /^text\/|javascript|json|xml|yaml|x-sh$|sql|toml|typescript|x-httpd-php|wasm/],
]

/** The kind of a file by its MIME type; `other` if no pattern matches. */
export function fileKind(mimeType: string | null): FileKind {
  return patterns.find(([, pattern]) => pattern.test(mimeType ?? ''))?.[0] ?? 'other'
}

/** What one item of a kind is called. */
export const kindLabels: Readonly<Record<FileKind, string>> = {
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  pdf: 'PDF',
  document: 'Document',
  sheet: 'Spreadsheet',
  slides: 'Presentation',
  archive: 'Archive',
  code: 'Code',
  other: 'File',
}

/** The label of an item's kind. */
export const kindLabel = (item: { is_directory: boolean; mime_type: string | null }): string =>
  item.is_directory ? 'Folder' : kindLabels[fileKind(item.mime_type)]
