/**
 * Reads flags and environment once into one frozen Config. A flag wins over FILESTORE_*, which wins over the default.
 */
import { isIP } from 'node:net'
import { join } from 'node:path'
import {
  defaultAuditDays,
  defaultMaxFileSize,
  defaultTrashRetentionDays,
  maxPasswordBytes,
  minPasswordBytes,
} from './api/limits.ts'
import { utf8Length } from './api/names.ts'
import { bytesOf } from './api/size.ts'
import { AppError } from './base/errors.ts'
import { type LogLevel, logLevels } from './base/log-level.ts'
import { processContext, resolvePath } from './base/process-context.ts'

export type DatabaseConfig = { dialect: 'sqlite'; file: string } | { dialect: 'mariadb'; url: string }

export interface Config {
  /** Absolute path of the folder that holds everything by default. */
  readonly dataDir: string
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly database: DatabaseConfig
  /** Absolute path of the folder for the files' bytes. */
  readonly storage: string
  /** Maximum bytes of one file. */
  readonly maxFileSize: number
  readonly trashRetentionDays: number
  /** Days for which the audit log is kept. */
  readonly auditDays: number
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
  /** The first administrator's password, given by FILESTORE_ADMIN_PASSWORD. */
  readonly adminPassword: string | null
  /** Number of processes that serve requests. */
  readonly workers: number
  /** Whether to run with accounts and files that anybody may try. */
  readonly demo: boolean
}

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
    | 'maxFileSize'
    | 'trashRetentionDays'
    | 'auditDays'
    | 'minFreeSpace'
    | 'publicUrl'
    | 'trustProxy'
    | 'accelRedirect'
    | 'metricsFrom'
    | 'logLevel'
    | 'workers',
    string
  >
> & { demo?: true }

/** The number of cores of a large machine. */
const maxWorkers = 64

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
  option('storage', '--storage <folder>', 'STORAGE', 'in the data folder', "folder for the files' bytes"),
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
  option('workers', '--workers <n>', 'WORKERS', '1', `processes, up to ${maxWorkers}; more than one on MariaDB alone`),
  option('demo', '--demo', 'DEMO', 'off', 'accounts whose passwords the sign-in screen shows, with sample files'),
]

const bad = (flag: string, value: string, expected: string): AppError =>
  new AppError('invalid_input', `${flag}: '${value}' is not ${expected}`)

function parseSize(flag: string, text: string, least = 1): number {
  const bytes = bytesOf(text)
  if (bytes === null || bytes < least) throw bad(flag, text, 'a size such as 32MB')
  return bytes
}

function parseWhole(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw bad(flag, text, `a whole number from ${min} to ${max}`)
  return value
}

const parseDays = (flag: string, days: string | number): number => parseWhole(flag, String(days), 1, 36_500)

/** Returns the URL, or null if it is invalid (URL.parse is not in every Node 20). */
const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

function parseDatabase(text: string | undefined, dataDir: string): DatabaseConfig {
  if (text === undefined) return { dialect: 'sqlite', file: join(dataDir, 'filestore.db') }
  const url = parseUrl(text)
  if (url === null || !['mysql:', 'mariadb:'].includes(url.protocol) || url.pathname.length < 2) {
    throw bad('--database', url === null ? text : `${url.protocol}//…`, 'a URL such as mysql://user:password@host/name')
  }
  url.protocol = 'mysql:'
  return { dialect: 'mariadb', url: url.href }
}

function parseStorage(text: string | undefined, dataDir: string): string {
  if (text?.startsWith('s3:')) throw bad('--storage', text, 'a folder (object stores are not supported yet)')
  return text === undefined ? join(dataDir, 'storage') : resolvePath(text)
}

function parsePublicUrl(text: string | undefined): string | null {
  if (text === undefined) return null
  const url = parseUrl(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw bad('--public-url', text, 'an address such as https://files.example.org')
  }
  return url.href.replace(/\/+$/, '')
}

function parseAddresses(flag: string, text: string | undefined): string[] {
  const addresses = (text ?? '').split(',').map(entry => entry.trim())
  const isRange = (entry: string) => {
    const [address = '', bits] = entry.split('/')
    const version = isIP(address)
    return version > 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  }
  const listed = addresses.filter(entry => entry !== '')
  const wrong = listed.find(entry => !isRange(entry))
  if (wrong !== undefined) throw bad(flag, wrong, 'an address or a CIDR range')
  return listed
}

/** Refuses a path without a trusted proxy, because it would silently have no effect. */
function parseAccelRedirect(text: string | undefined, proxies: readonly string[]): string | null {
  if (text === undefined) return null
  if (!/^(\/[\w-][\w.-]*)+$/.test(text)) throw bad('--accel-redirect', text, 'a path such as /_filestore')
  if (proxies.length === 0) {
    throw new AppError(
      'invalid_input',
      '--accel-redirect needs --trust-proxy: the addresses of the nginx that is meant',
    )
  }
  return text
}

function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find(name => name === text)
  if (level === undefined) throw bad('--log-level', text, `one of ${logLevels.join(', ')}`)
  return level
}

/** Parses a switch from the environment: on by 1 or true, off by 0 or false. */
function parseSwitch(flag: string, text: string): boolean {
  if (!['1', 'true', '0', 'false'].includes(text)) throw bad(flag, text, '1 or 0')
  return text === '1' || text === 'true'
}

/** The rule for every password. It does not use the API's schema, because this file is also loaded for `--help`. */
function parsePassword(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  const bytes = utf8Length(text)
  if (bytes < minPasswordBytes || bytes > maxPasswordBytes) {
    const range = `${minPasswordBytes} to ${maxPasswordBytes}`
    throw new AppError('invalid_input', `FILESTORE_ADMIN_PASSWORD must have ${range} bytes`)
  }
  return text
}

/** Reads and checks the configuration. Throws AppError `invalid_input` that names the flag. */
export function readConfig(flags: Flags, env: NodeJS.ProcessEnv = processContext().env): Config {
  const known = [...storageOptions, ...serveOptions]
  const given = (name: keyof Flags): string | undefined => {
    const value = flags[name] ?? env[known.find(entry => entry.name === name)?.env ?? '']
    return value === '' ? undefined : value?.toString()
  }
  const dataDir = resolvePath(given('dataDir') ?? './filestore-data')
  const size = given('maxFileSize')
  const floor = given('minFreeSpace')
  const trustProxy = parseAddresses('--trust-proxy', given('trustProxy'))
  return Object.freeze({
    dataDir,
    host: given('host') ?? '127.0.0.1',
    port: parseWhole('--port', given('port') ?? '8080', 0, 65_535),
    database: parseDatabase(given('database'), dataDir),
    storage: parseStorage(given('storage'), dataDir),
    maxFileSize: size === undefined ? defaultMaxFileSize : parseSize('--max-file-size', size),
    trashRetentionDays: parseDays('--trash-retention-days', given('trashRetentionDays') ?? defaultTrashRetentionDays),
    auditDays: parseDays('--audit-days', given('auditDays') ?? defaultAuditDays),
    minFreeSpace: floor === undefined ? null : parseSize('--min-free-space', floor, 0),
    publicUrl: parsePublicUrl(given('publicUrl')),
    trustProxy,
    accelRedirect: parseAccelRedirect(given('accelRedirect'), trustProxy),
    metricsFrom: parseAddresses('--metrics-from', given('metricsFrom')),
    logLevel: parseLogLevel(given('logLevel') ?? 'info'),
    adminPassword: parsePassword(env.FILESTORE_ADMIN_PASSWORD),
    workers: parseWhole('--workers', given('workers') ?? '1', 1, maxWorkers),
    demo: parseSwitch('--demo', given('demo') ?? '0'),
  })
}
