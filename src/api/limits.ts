/** Sizes, counts and other limits that schemas, hint texts and help share. */

/** Bytes; the default of `--max-file-size`, documented as 32MB. */
export const defaultMaxFileSize = 32 * 1024 ** 2
/** Bytes; the 5 GB quota of a new user. */
export const defaultStorageQuota = 5_368_709_120
/**
 * A quota allows one file or folder per `bytesPerItem` bytes, and never fewer than `leastItems`. The limit is needed
 * because rows take disk space that a quota of bytes does not count. One item per 4 KiB is the ratio of mke2fs for file
 * systems with small files (mke2fs.conf, usage type `small`: inode_ratio = 4096).
 */
export const bytesPerItem = 4096
export const leastItems = 10_000
/** The number of files and folders, including trashed ones, that a quota in bytes allows. */
export const maxItems = (quota: number): number => Math.max(leastItems, Math.floor(quota / bytesPerItem))
/** Days that an item stays in the trash; the default of `--trash-retention-days`. */
export const defaultTrashRetentionDays = 30
/** Days that audit log events are kept; the default of `--audit-days`. */
export const defaultAuditDays = 365
/**
 * Hours for which an unfinished upload is kept after its last byte; the default of `--upload-expiry-hours`. One
 * without a byte is kept for an hour, and one in another's place the shorter, the less of it has arrived.
 */
export const defaultUploadExpiryHours = 72
/** Uploads of one user that are begun and no files yet. */
export const maxUnfinishedUploads = 200
/** The same for one link, and for the visitors of all links from one address. */
export const maxLinkUploads = 200
export const maxVisitorUploads = 20
/** Bytes of the header Upload-Metadata. */
export const maxUploadMetadataBytes = 8 * 1024
/** UTF-8 bytes of a file or folder name. */
export const maxNameBytes = 255
/** Folders between the root and the deepest item. */
export const maxTreeDepth = 100
/** UTF-8 bytes of a password; a longer one would only cost hashing time. */
export const minPasswordBytes = 8
export const maxPasswordBytes = 1024
/** Characters of a username. */
export const maxUsernameLength = 64
export const maxFullNameLength = 200
/** Characters of an email address, as SMTP allows (RFC 5321 section 4.5.3.1). */
export const maxEmailLength = 254
/** Characters of the names of keys, tags, roles and metadata fields. */
export const maxKeyNameLength = 100
export const maxTagNameLength = 50
export const maxRoleNameLength = 50
export const maxFieldNameLength = 64
/** Tags per user, and tags per file. */
export const maxTags = 1000
export const maxFileTags = 100
/** API keys per user; expired keys are deleted to make room for new ones. */
export const maxKeys = 100
/** Roles and metadata fields per server; a file can have a value for each field. */
export const maxRoles = 200
export const maxFields = 200
/** Characters of a description, a label, a comment. */
export const maxDescriptionLength = 1000
export const maxLabelLength = 100
export const maxCommentLength = 1000
/** Choices of a select field, and metadata values in one call. */
export const maxFieldOptions = 200
export const maxMetadataValues = 200
/** Characters of a metadata value. */
export const maxMetadataValueLength = 10_000
/** Bytes of all metadata of one file, counting both stored and folded (searchable) values; quotas do not count them. */
export const maxMetadataBytes = 64 * 1024
/** Each time this many bytes of metadata are set, uploaded or copied, they count as one more of the day's changes. */
export const metadataBytesPerChange = 1024
/** Ids in one batch, tagging or archive call. */
export const maxBatchSize = 1000
/** Files, and bytes of the whole body, in one call that uploads many files. */
export const maxUploadManyFiles = 100
export const maxUploadManyBytes = 16 * 1024 ** 2
/**
 * Bytes from which a client sends a file by itself, and of all files that it sends in one such call: as much as a slow
 * line takes half a minute for, because what breaks off is sent again.
 */
export const largeFileBytes = 1024 ** 2
export const maxGroupBytes = 4 * 1024 ** 2
/**
 * Bytes of a content up to which it stays in memory until it is stored, and is stored beside its row. Measured: below
 * 64 KiB that beats a file of its own.
 */
export const inlineLimit = 32 * 1024
/** Bytes of such contents that a client sends in one call, so that six calls at once fit into an account's memory. */
export const maxGroupInlineBytes = 2 * 1024 ** 2
/** Bytes from which a client sends a file in pieces, so that it can go on after the connection broke. */
export const resumableFrom = 8 * 1024 ** 2
/** Bytes of such a piece: at most, which passes proxies that take 100 MB; and at least, where one takes less. */
export const mostPieceBytes = 64 * 1024 ** 2
export const leastPieceBytes = 256 * 1024
/** Bytes of a JSON body: a thousand ids, or a few texts, each character of them escaped. */
export const maxJsonBytes = 64 * 1024
/** Bytes of the JSON body of a call that takes a long path, metadata values or the options of a field. */
export const maxLongJsonBytes = 1024 ** 2
/** Nesting levels of a JSON body. */
export const maxJsonDepth = 20
/**
 * Values in a JSON body, lists and objects included: twice as many as a call can take. So a list that is a little too
 * long is still refused by its schema, which names the field and its limit.
 */
export const maxJsonValues = 2 * maxBatchSize
/** Bytes of the body of a call that needs no sign-in. A sign-in takes a few hundred bytes, or 7 KB fully escaped. */
export const maxPublicBodyBytes = 16 * 1024
/** Pixels of a list's column, as a person may set it. */
export const minColumnWidth = 64
export const maxColumnWidth = 640
/** Managers of a team folder that a call names, and that its entry lists. */
export const maxManagers = 100
/** Links of one item, and of one user's own files or of one team folder. */
export const maxLinksPerItem = 100
export const maxLinksPerSpace = 10_000
/** Downloads to which a link may be limited. */
export const maxLinkDownloads = 1_000_000
/** Characters of the name that a link's uploaders give. */
export const maxSenderLength = 100
/** Days after its making that every link may be made to end; 0 stands for no such rule. */
export const maxLinkDays = 3650
/** Milliseconds that a link's password, or a counted download, holds for the browser that gave it. */
export const linkVisitLifetime = 24 * 60 * 60 * 1000
/** Such passwords and downloads that a link remembers at once; beyond them it forgets the oldest. */
export const maxLinkVisits = 10_000
/** Milliseconds for which a browser is remembered as one that gave a link's password. */
export const linkKnownLifetime = 90 * 24 * 60 * 60 * 1000
/** Files that may come through one link in a day. */
export const maxLinkFilesPerDay = 5000
/**
 * Requests that are answered at once: of one link, of one address at all links, of all links of one maker, and of all
 * visitors, per server process. More wait for up to 10 seconds.
 */
export const maxLinkRequests = 64
export const maxVisitorRequests = 32
export const maxMakerRequests = 128
export const maxVisitorsRequests = 512
/** Team folders, and groups. */
export const maxSpaces = 1000
export const maxGroups = 1000
/** Users of a group; the group of all users has no limit. */
export const maxGroupMembers = 1000
export const maxGroupNameLength = 100
/** Users and groups to whom one item is given. */
export const maxSharesPerItem = 1000
/** Shares of one user's own files, or of one team folder. */
export const maxSharesPerSpace = 10_000
/** Shares to one user that the list of them shows, the newest; groups may bring more. */
export const maxReceivedShares = 10_000
/** Shares that a search looks into, the newest of them; team folders are searched besides. */
export const maxSearchedShares = 1000
/** Favourites in others' places that a list shows; one's own have no limit. */
export const maxFavoritesElsewhere = 5000
/** Team folders of which a list of recent files shows some; and the files on a page of it by default. */
export const maxRecentPlaces = 50
export const recentPageSize = 100
/** Files on a page of the largest by default. */
export const largestPageSize = 100
/** Items below a folder that its size counts; if there are more, it only says so. */
export const maxMeasuredItems = 200_000
/** Files in others' places that a user's tags count. */
export const maxTaggedElsewhere = 5000
/** People, and groups, that a search for somebody finds. */
export const maxPeopleFound = 20
/** Entries of one page, and entries of a list that is requested without `limit`. */
export const maxPageSize = 1000
export const wholeListSize = 10_000
/** Changes on a page of the feed by default. */
export const changesPageSize = 250
/** ms for which a stream of changes tells of what was before it. */
export const maxFollowingAge = 60_000
/** Spaces that the feed of one caller follows: their own, and those in which the newest is shared with them. */
export const maxFeedSpaces = 500
/** Characters of a cursor of the feed, which says how far each space was read. */
export const maxFeedCursor = 16_384
/** Streams of changes of one session or key, and of one user: a further one ends the oldest. And those of one process. */
export const maxFollowersOfSession = 5
export const maxFollowersOfUser = 50
export const maxFollowers = 1000
/** Bytes of JSON that the items on one page may take; those of 10,000 usually take less. */
export const maxPageBytes = 6 * 1024 ** 2
/** Bytes that the events on one page may take: an event contains names, and a file may be renamed often. */
export const maxEventPageBytes = 1024 ** 2
/**
 * Pages of one list that a client reads at most: enough for a hundred million files. If all paths and tags have their
 * maximum length, a page holds a hundred files, and this is enough for a million.
 */
export const maxPages = 10_000
/** Milliseconds from its last use until a session ends: 14 days. */
export const sessionLifetime = 14 * 24 * 60 * 60 * 1000
/** Live sessions per user. Starting one more ends the least recently used session. */
export const maxSessions = 100
/** Rate limits of a script key, in requests: the default, and the highest that can be set. */
export const defaultRateLimits = { minute: 60, hour: 1000, day: 10_000 } as const
export const maxRateLimits = { minute: 1000, hour: 100_000, day: 1_000_000 } as const
/** Days until a new key expires, as the form offers them; the call takes any whole number up to the maximum. */
export const keyExpiryDays = [7, 30, 90, 365, 730] as const
export const maxKeyExpiryDays = 36_500
/** Changes per user and day. They are limited because each leaves an event, which is kept for a year. */
export const maxChangesPerDay = 1_000_000
/** Sign-ins and password or account changes per user and day while a disk has less free space than its minimum. */
export const maxChangesWhenFull = 1000
/** Code points of the shortest search text, other than one character of Chinese, Japanese or Korean. */
export const minSearchLength = 2
/** Hits that a search counts; if there are more, it only says so. */
export const maxCountedHits = 1000
/** Files of the validation queue that a screen reads, oldest first; they take a few megabytes. */
export const maxPendingShown = 5000
/** Pixels of a thumbnail's longer side, and the total pixels up to which an image gets a thumbnail. */
export const thumbnailSize = 512
export const maxImagePixels = 100_000_000
/** Longest chain of keys that made one another. It is limited because each request of the last key counts for all. */
export const maxKeyGenerations = 5
/** Concurrent requests of one device key. */
export const maxDeviceKeyRequests = 16
/** Concurrent requests of all keys of a user, per server process. */
export const maxKeyRequests = 64
/**
 * Concurrent requests of all sessions of a user, per server process. A page of thumbnails sends as many at once as the
 * proxy's HTTP/2 allows: 128 with nginx, 250 with Caddy.
 */
export const maxSessionRequests = 300
/** How many of these may hold a file open, a megabyte each; the others wait. Equal to the limit of a user's keys. */
export const maxOpenFiles = 64
/**
 * Concurrent streamed answers of a user's sessions, and as many of the user's keys; others wait. These are ZIP files,
 * which keep some sixty bytes per entry until their end, and exports of the audit log.
 */
export const maxStreams = 3
/** ZIP files at once of all links of one maker, of which each link has as many as a user, and of all links. */
export const maxMakerStreams = 12
export const maxVisitorsStreams = 48
/** Prefixes of the two halves of an API key. */
export const keyIdPrefix = 'gk_'
export const keySecretPrefix = 'gs_'
/** Number of recent files in the statistics. */
export const recentFilesCount = 10
/** Storage usage in percent: above the first the interface warns, at the second it shows the quota as exceeded. */
export const storageWarningPercent = 80
export const storageExceededPercent = 100
