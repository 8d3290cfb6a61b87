/** The options of the server's commands: their flags, environment variables and defaults, as --help shows them. */
import { logLevels } from './base/log-level.ts'

export interface ServerOption {
  name: keyof Flags
  /** In commander's syntax. */
  flags: string
  env: string
  description: string
  /** As a person would type it; shown by --help. */
  default: string
}

export type Flags = Partial<
  Record<
    | 'dataDir'
    | 'host'
    | 'port'
    | 'database'
    | 'storage'
    | 'storageFrom'
    | 'cacheSize'
    | 'maxFileSize'
    | 'trashRetentionDays'
    | 'auditDays'
    | 'uploadExpiryHours'
    | 'minFreeSpace'
    | 'publicUrl'
    | 'trustProxy'
    | 'accelRedirect'
    | 'metricsFrom'
    | 'logLevel'
    | 'drainSeconds'
    | 'workers',
    string
  >
> & { demo?: true }

/** The longest time for which a stopping server may serve on. */
export const maxDrainSeconds = 600

/** The number of cores of a large machine. */
export const maxWorkers = 64

const option = (name: keyof Flags, flags: string, env: string, value: string, description: string): ServerOption => ({
  name,
  flags,
  env: `FILESTORE_${env}`,
  default: value,
  description,
})

/** Where data is stored; every command on the server accepts these. */
export const storageOptions: readonly ServerOption[] = [
  option('dataDir', '--data-dir <folder>', 'DATA_DIR', './filestore-data', 'folder for the database and the files'),
  option('database', '--database <url>', 'DATABASE', 'SQLite in the data folder', 'mysql:// URL of a MariaDB database'),
  option(
    'storage',
    '--storage <place>',
    'STORAGE',
    'in the data folder',
    "folder or s3:// bucket for the files' bytes",
  ),
  option(
    'storageFrom',
    '--storage-from <place>',
    'STORAGE_FROM',
    'none',
    "where the bytes were before, while 'filestore storage move' brings them to --storage",
  ),
  option(
    'cacheSize',
    '--cache-size <size>',
    'CACHE_SIZE',
    '1GB',
    "local copies of a bucket's bytes in the data folder; 0 for none",
  ),
  option('logLevel', '--log-level <level>', 'LOG_LEVEL', 'info', logLevels.join(', ')),
]

/** Further options of `serve`. */
export const serveOptions: readonly ServerOption[] = [
  option('host', '--host <address>', 'HOST', '127.0.0.1', 'address to listen on'),
  option('port', '--port <number>', 'PORT', '8080', 'port to listen on; 0 takes a free one'),
  option('maxFileSize', '--max-file-size <size>', 'MAX_FILE_SIZE', '32MB', 'largest file, in KB, MB or GB (base 1024)'),
  option(
    'trashRetentionDays',
    '--trash-retention-days <n>',
    'TRASH_RETENTION_DAYS',
    '30',
    'days items stay in the trash',
  ),
  option('auditDays', '--audit-days <n>', 'AUDIT_DAYS', '365', 'days that the audit log goes back'),
  option(
    'uploadExpiryHours',
    '--upload-expiry-hours <n>',
    'UPLOAD_EXPIRY_HOURS',
    '72',
    'hours after its last byte that an unfinished upload is kept',
  ),
  option(
    'minFreeSpace',
    '--min-free-space <size>',
    'MIN_FREE_SPACE',
    'the larger of 1GB and 2 %',
    'free space at which uploads stop; 0 never',
  ),
  option('publicUrl', '--public-url <url>', 'PUBLIC_URL', 'none', 'where users reach the server'),
  option(
    'trustProxy',
    '--trust-proxy <list>',
    'TRUST_PROXY',
    'none',
    'proxies to believe: addresses or CIDR, by comma',
  ),
  option(
    'accelRedirect',
    '--accel-redirect <path>',
    'ACCEL_REDIRECT',
    'none',
    'where a trusted nginx finds the bytes, to send downloads itself',
  ),
  option(
    'metricsFrom',
    '--metrics-from <list>',
    'METRICS_FROM',
    'none',
    'who beside this machine may read /metrics: as above',
  ),
  option(
    'drainSeconds',
    '--drain-seconds <n>',
    'DRAIN_SECONDS',
    '0',
    'seconds to serve on after a stop signal, while /readyz says 503',
  ),
  option('workers', '--workers <n>', 'WORKERS', '1', `processes, up to ${maxWorkers}; more than one on MariaDB alone`),
  option('demo', '--demo', 'DEMO', 'off', 'accounts whose passwords the sign-in screen shows, with sample files'),
]
