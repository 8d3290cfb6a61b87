/** Every size, count and palette that schemas, hint texts and help share. */

/** Bytes; the default of `--max-file-size`, the 32MB that the product states. */
export const defaultMaxFileSize = 32 * 1024 ** 2
/** Bytes; 5 GB, what a new user gets. */
export const defaultStorageQuota = 5_368_709_120
/**
 * Bytes of quota for each file or folder that may be there, and how many may be there whatever the quota: rows cost room
 * that no quota of bytes counts. One for each 4 KiB is what mke2fs gives file systems of small files (mke2fs.conf, the
 * usage type `small`: inode_ratio = 4096).
 */
export const bytesPerItem = 4096
export const leastItems = 10_000
/** How many files and folders a quota of so many bytes allows, those in the trash included. */
export const maxItems = (quota: number): number => Math.max(leastItems, Math.floor(quota / bytesPerItem))
/** Days that an item stays in the trash unless `--trash-retention-days` says otherwise. */
export const defaultTrashRetentionDays = 30
/** Days that the audit log goes back unless `--audit-days` says otherwise. */
export const defaultAuditDays = 365
/** UTF-8 bytes of a file or folder name. */
export const maxNameBytes = 255
/** Folders between the root and the deepest item. */
export const maxTreeDepth = 100
/** UTF-8 bytes of a password; longer ones would only cost hashing time. */
export const minPasswordBytes = 8
export const maxPasswordBytes = 1024
/** Characters of a username. */
export const maxUsernameLength = 64
export const maxFullNameLength = 200
/** Characters of an address; what SMTP allows (RFC 5321 section 4.5.3.1). */
export const maxEmailLength = 254
/** Characters of the names of keys, tags, roles and metadata fields. */
export const maxKeyNameLength = 100
export const maxTagNameLength = 50
export const maxRoleNameLength = 50
export const maxFieldNameLength = 64
/** Tags of one user, and of them on one file. */
export const maxTags = 1000
export const maxFileTags = 100
/** API keys of one user; expired ones give way to new ones. */
export const maxKeys = 100
/** Roles and metadata fields of a server, as administrators make them; a file can have a value of each field. */
export const maxRoles = 200
export const maxFields = 200
/** Characters of a description, a label, a comment. */
export const maxDescriptionLength = 1000
export const maxLabelLength = 100
export const maxCommentLength = 1000
/** Choices of a select field, and values that one file may be given at once. */
export const maxFieldOptions = 200
export const maxMetadataValues = 200
/** Characters of a metadata value. */
export const maxMetadataValueLength = 10_000
/** Bytes of all values of one file, each as it is kept and as search compares it: no quota counts them. */
export const maxMetadataBytes = 64 * 1024
/** Bytes of metadata that are given, uploaded or copied and count as one more of a day's changes. */
export const metadataBytesPerChange = 1024
/** Ids of one batch, one tagging, one archive. */
export const maxBatchSize = 1000
/** Bytes and levels of a JSON body. */
export const maxJsonBytes = 1024 ** 2
export const maxJsonDepth = 20
/** Bytes of the body of a call that anybody may make; a sign-in has a few hundred, and 7 KB where all is escaped. */
export const maxPublicBodyBytes = 16 * 1024
/** Entries of one page, and of a list asked for without `limit`. */
export const maxPageSize = 1000
export const wholeListSize = 10_000
/** Bytes that the paths and tags on one page may take as they stand in JSON; 10,000 entries usually take a tenth. */
export const maxPageBytes = 16 * 1024 ** 2
/**
 * Pages of one list that a client reads: those of a hundred million files. Where all paths and tags are at their longest,
 * a page holds a hundred, and these are a million.
 */
export const maxPages = 10_000
/** Milliseconds after its last use at which a session ends: 14 days. */
export const sessionLifetime = 14 * 24 * 60 * 60 * 1000
/** Live sessions of one user: one that is started beyond them ends the one that was used longest ago. */
export const maxSessions = 100
/** Requests that a script key may make when nothing else was asked for, and the most that may be asked for. */
export const defaultRateLimits = { minute: 60, hour: 1000, day: 10_000 } as const
export const maxRateLimits = { minute: 1000, hour: 100_000, day: 1_000_000 } as const
/** Days after which a new key can be made to expire, as the form offers them; the call takes any whole number. */
export const keyExpiryDays = [7, 30, 90, 365, 730] as const
export const maxKeyExpiryDays = 36_500
/** Changes that one user may make in a day: each leaves an event, which is kept for a year. */
export const maxChangesPerDay = 1_000_000
/** Sign-ins, and changes of password or account, of one user in a day while a disk has less than is to stay free. */
export const maxChangesWhenFull = 1000
/** Code points of the shortest text that is searched for. */
export const minSearchLength = 3
/** Hits that a search counts; beyond them it only says that there are more. */
export const maxCountedHits = 1000
/** Files of the validation queue that a screen reads, the oldest first: a few megabytes. */
export const maxPendingShown = 5000
/** The images that have a thumbnail: those whose decoders are kept up for hostile input. */
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

/** Pixels of the longer side of a thumbnail, and the most that an image may have to get one. */
export const thumbnailSize = 512
export const maxImagePixels = 100_000_000
/** How many keys may have made one the next: each request of the last counts for all of them. */
export const maxKeyGenerations = 5
/** Requests that one device key may have under way at once. */
export const maxDeviceKeyRequests = 16
/** Requests that all keys of a user may have under way at once, by one process of the server. */
export const maxKeyRequests = 64
/**
 * The same of all sessions of a user: a page of small pictures asks for as many at once as the proxy's HTTP/2 lets it,
 * which is 128 with nginx and 250 with Caddy.
 */
export const maxSessionRequests = 300
/** How many of these hold a file open; the others wait. As many as of a user's keys, for each takes a megabyte. */
export const maxSessionFiles = 64
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
