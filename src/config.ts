/**
 * Reads flags and environment once into one frozen Config. A flag wins over FILESTORE_*, which wins over the default.
 */
import {
  defaultAuditDays,
  defaultMaxFileSize,
  defaultTrashRetentionDays,
  defaultUploadExpiryHours,
} from './api/limits.ts'
import type { LogLevel } from './base/log-level.ts'
import { processContext, resolvePath } from './base/process-context.ts'
import { type Flags, maxDrainSeconds, maxWorkers, serveOptions, storageOptions } from './config-options.ts'
import {
  type DatabaseConfig,
  parseAccelRedirect,
  parseAddresses,
  parseDatabase,
  parseDays,
  parseLogLevel,
  parsePassword,
  parsePublicUrl,
  parseSecretKey,
  parseSize,
  parseStorage,
  parseStorageFrom,
  parseSwitch,
  parseWhole,
  type StorageConfig,
} from './config-values.ts'

export interface Config {
  /** Absolute path of the folder that holds everything by default. */
  readonly dataDir: string
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly database: DatabaseConfig
  readonly storage: StorageConfig
  /** The store that the bytes move from; null unless they move. */
  readonly storageFrom: StorageConfig | null
  /** The most bytes of local copies of what is read from a bucket; 0 for none. */
  readonly cacheSize: number
  /** Maximum bytes of one file. */
  readonly maxFileSize: number
  readonly trashRetentionDays: number
  /** Days for which the audit log is kept. */
  readonly auditDays: number
  /** Hours after its last byte for which an unfinished upload is kept. */
  readonly uploadExpiryHours: number
  /** Bytes of a disk that uploads leave free; 0 if they may fill it, null if the disk's size decides. */
  readonly minFreeSpace: number | null
  /** Where users reach the server, without a slash at the end; null if not set. */
  readonly publicUrl: string | null
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-* headers are trusted. */
  readonly trustProxy: readonly string[]
  /**
   * Where a trusted nginx has the folder of bytes, to send downloads itself; no slash at the end, null if it does not.
   */
  readonly accelRedirect: string | null
  /** Addresses and CIDR ranges, besides loopback, that may read /metrics. */
  readonly metricsFrom: readonly string[]
  readonly logLevel: LogLevel
  /** The server's secret, given by FILESTORE_SECRET_KEY; null: it is in a file of the data folder. */
  readonly secretKey: Buffer | null
  /** The first administrator's password, given by FILESTORE_ADMIN_PASSWORD. */
  readonly adminPassword: string | null
  /** Seconds for which requests are served after a stop signal, while `/readyz` answers 503. */
  readonly drainSeconds: number
  /** Number of processes that serve requests. */
  readonly workers: number
  /** Whether to run with accounts and files that anybody may try. */
  readonly demo: boolean
}

/** Reads and checks the configuration. Throws AppError `invalid_input` that names the flag. */
export function readConfig(flags: Flags, env: NodeJS.ProcessEnv = processContext().env): Config {
  const known = [...storageOptions, ...serveOptions]
  const given = (name: keyof Flags): string | undefined => {
    const value = flags[name] ?? env[known.find(entry => entry.name === name)?.env ?? '']
    return value === '' ? undefined : value?.toString()
  }
  const dataDir = resolvePath(given('dataDir') ?? './filestore-data')
  const storage = parseStorage(given('storage'), dataDir, env)
  const size = given('maxFileSize')
  const floor = given('minFreeSpace')
  const trustProxy = parseAddresses('--trust-proxy', given('trustProxy'))
  return Object.freeze({
    dataDir,
    host: given('host') ?? '127.0.0.1',
    port: parseWhole('--port', given('port') ?? '8080', 0, 65_535),
    database: parseDatabase(given('database'), dataDir),
    storage,
    storageFrom: parseStorageFrom(given('storageFrom'), storage, env),
    cacheSize: parseSize('--cache-size', given('cacheSize') ?? '1GB', 0),
    maxFileSize: size === undefined ? defaultMaxFileSize : parseSize('--max-file-size', size),
    trashRetentionDays: parseDays('--trash-retention-days', given('trashRetentionDays') ?? defaultTrashRetentionDays),
    auditDays: parseDays('--audit-days', given('auditDays') ?? defaultAuditDays),
    uploadExpiryHours: parseWhole(
      '--upload-expiry-hours',
      given('uploadExpiryHours') ?? String(defaultUploadExpiryHours),
      1,
      8760,
    ),
    minFreeSpace: floor === undefined ? null : parseSize('--min-free-space', floor, 0),
    publicUrl: parsePublicUrl(given('publicUrl')),
    trustProxy,
    accelRedirect: parseAccelRedirect(given('accelRedirect'), trustProxy),
    metricsFrom: parseAddresses('--metrics-from', given('metricsFrom')),
    logLevel: parseLogLevel(given('logLevel') ?? 'info'),
    secretKey: parseSecretKey(env.FILESTORE_SECRET_KEY),
    adminPassword: parsePassword(env.FILESTORE_ADMIN_PASSWORD),
    drainSeconds: parseWhole('--drain-seconds', given('drainSeconds') ?? '0', 0, maxDrainSeconds),
    workers: parseWhole('--workers', given('workers') ?? '1', 1, maxWorkers),
    demo: parseSwitch('--demo', given('demo') ?? '0'),
  })
}
