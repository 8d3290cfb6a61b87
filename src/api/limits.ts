/** Every size, count and palette that schemas, hint texts and help share. */

/** Bytes; the default of `--max-file-size`, the 32MB that the product states. */
export const defaultMaxFileSize = 32 * 1024 ** 2
/** Bytes; 5 GB, what a new user gets. */
export const defaultStorageQuota = 5_368_709_120
/** Days that an item stays in the trash unless `--trash-retention-days` says otherwise. */
export const defaultTrashRetentionDays = 30
/** UTF-8 bytes of a file or folder name. */
export const maxNameBytes = 255
/** Folders between the root and the deepest item. */
export const maxTreeDepth = 100
/** UTF-8 bytes of a password; longer ones would only cost hashing time. */
export const minPasswordBytes = 8
export const maxPasswordBytes = 1024
/** Characters of a username. */
export const maxUsernameLength = 64
/** Characters of the name of a key. */
export const maxKeyNameLength = 100
/** Bytes and levels of a JSON body. */
export const maxJsonBytes = 1024 ** 2
export const maxJsonDepth = 20
/** Entries of one page, and of a list asked for without `limit`. */
export const maxPageSize = 1000
export const wholeListSize = 10_000
/** Milliseconds after its last use at which a session ends: 14 days. */
export const sessionLifetime = 14 * 24 * 60 * 60 * 1000
/** Requests that one device key may have under way at once. */
export const maxDeviceKeyRequests = 16
/** Prefixes of the two halves of an API key. */
export const keyIdPrefix = 'gk_'
export const keySecretPrefix = 'gs_'
/** Files among the statistics' most recent ones. */
export const recentFilesCount = 10
/** Storage usage, in percent, above which the interface warns, and at which it is exceeded. */
export const storageWarningPercent = 80
export const storageExceededPercent = 100

/** What a browser may be shown: image, text and PDF as the product lists them, and common video and audio. */
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

/** How a type is previewed, or null for 'Preview not available for this file type'. */
export function previewKind(mimeType: string | null): PreviewKind | null {
  for (const kind of Object.keys(previewableTypes) as PreviewKind[]) {
    if ((previewableTypes[kind] as readonly string[]).includes(mimeType ?? '')) return kind
  }
  return null
}
