/** Which MIME types have a thumbnail or a preview. */

/** Image types that get a thumbnail: those whose decoders are maintained against hostile input. */
const thumbnailTypes: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  'image/svg+xml',
]
export const hasThumbnail = (mimeType: string | null): boolean => thumbnailTypes.includes(mimeType ?? '')

/** MIME types that are previewed in a browser: the documented image, text and PDF types, and common video and audio. */
const previewableTypes = {
  image: ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp', 'image/svg+xml', 'image/bmp'],
  text: [
    'text/plain',
    'text/html',
    'text/css',
    'text/javascript',
    'application/javascript',
    'application/json',
    'text/xml',
    'application/xml',
    'text/yaml',
    'application/yaml',
    'text/markdown',
  ],
  pdf: ['application/pdf'],
  video: ['video/mp4', 'video/webm', 'video/ogg'],
  audio: [
    'audio/mpeg',
    'audio/mp3',
    'audio/mp4',
    'audio/x-m4a',
    'audio/ogg',
    'audio/wav',
    'audio/x-wav',
    'audio/flac',
    'audio/x-flac',
    'audio/webm',
  ],
} as const

export type PreviewKind = keyof typeof previewableTypes

/** How a type is previewed; null stands for 'Preview not available for this file type'. */
export function previewKind(mimeType: string | null): PreviewKind | null {
  for (const kind of Object.keys(previewableTypes) as PreviewKind[]) {
    if ((previewableTypes[kind] as readonly string[]).includes(mimeType ?? '')) return kind
  }
  return null
}
