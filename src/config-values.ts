/** Parses the values of options. Each throws AppError `invalid_input` that names the flag. */
import { isIP } from 'node:net'
import { join } from 'node:path'
import { maxPasswordBytes, minPasswordBytes } from './api/limits.ts'
import { utf8Length } from './api/names.ts'
import { bytesOf } from './api/size.ts'
import { AppError } from './base/errors.ts'
import { type LogLevel, logLevels } from './base/log-level.ts'
import { parseUrl } from './base/parse-url.ts'
import { resolvePath } from './base/process-context.ts'
import { readS3Address, type S3Address } from './blobs/s3/address.ts'
import { readS3Credentials, type S3Credentials } from './blobs/s3/credentials.ts'

export type DatabaseConfig = { dialect: 'sqlite'; file: string } | { dialect: 'mariadb'; url: string }

const bad = (flag: string, value: string, expected: string): AppError =>
  new AppError('invalid_input', `${flag}: '${value}' is not ${expected}`)

/** Repeats nothing of the value, which may hold a password. */
const badUrl = (flag: string, example: string): AppError =>
  new AppError('invalid_input', `${flag} is not an address such as ${example}`)

export function parseSize(flag: string, text: string, least = 1): number {
  const bytes = bytesOf(text)
  if (bytes === null || bytes < least) throw bad(flag, text, 'a size such as 32MB')
  return bytes
}

export function parseWhole(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw bad(flag, text, `a whole number from ${min} to ${max}`)
  return value
}

export const parseDays = (flag: string, days: string | number): number => parseWhole(flag, String(days), 1, 36_500)

/** Whether a text is a list of hosts such as `h2,h3:3307`. */
const areHosts = (text: string): boolean =>
  text.split(',').every(host => /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$/.test(host))

/** Whether the driver can decode what it takes from an address: a `%` in a password is easily left as it is. */
function isDecodable({ hostname, username, password, pathname }: URL): boolean {
  try {
    for (const part of [hostname, username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

export function parseDatabase(text: string | undefined, dataDir: string): DatabaseConfig {
  if (text === undefined) return { dialect: 'sqlite', file: join(dataDir, 'filestore.db') }
  const url = parseUrl(text)
  if (url === null || !['mysql:', 'mariadb:'].includes(url.protocol) || !/^\/./.test(url.pathname)) {
    throw badUrl('--database', 'mysql://user:password@host/name')
  }
  if (!isDecodable(url))
    throw new AppError('invalid_input', '--database: write %25 for each % of its user, password or name')
  const others = new URLSearchParams(url.search).getAll('or')
  if (others.length > 1)
    throw new AppError('invalid_input', '--database: give its parameter or once, as ?or=h2,h3:3307')
  if (!others.every(areHosts)) {
    throw new AppError('invalid_input', '--database: its parameter or names no hosts, as in ?or=h2,h3:3307')
  }
  url.protocol = 'mysql:'
  return { dialect: 'mariadb', url: url.href }
}

/** Where the files' bytes are. */
export type StorageConfig =
  | { kind: 'folder'; folder: string }
  | { kind: 's3'; address: S3Address; credentials: S3Credentials }

function parsePlace(flag: string, text: string, env: NodeJS.ProcessEnv): StorageConfig {
  if (!text.startsWith('s3:')) return { kind: 'folder', folder: resolvePath(text) }
  const address = readS3Address(text)
  if (typeof address === 'string') throw new AppError('invalid_input', `${flag}: ${address}`)
  return { kind: 's3', address, credentials: readS3Credentials(env) }
}

export const parseStorage = (text: string | undefined, dataDir: string, env: NodeJS.ProcessEnv): StorageConfig =>
  text === undefined ? { kind: 'folder', folder: join(dataDir, 'storage') } : parsePlace('--storage', text, env)

/** Throws `invalid_input` if it is the same place as `storage`. */
export function parseStorageFrom(
  text: string | undefined,
  storage: StorageConfig,
  env: NodeJS.ProcessEnv,
): StorageConfig | null {
  if (text === undefined) return null
  const from = parsePlace('--storage-from', text, env)
  if (JSON.stringify(from) === JSON.stringify(storage)) {
    throw new AppError('invalid_input', '--storage-from is the same place as --storage: leave it out')
  }
  return from
}

export function parsePublicUrl(text: string | undefined): string | null {
  if (text === undefined) return null
  const url = parseUrl(text)
  const isPlain = url !== null && [url.username, url.password, url.search, url.hash].every(part => part === '')
  if (!isPlain || !/^https?:$/.test(url.protocol)) throw badUrl('--public-url', 'https://files.example.org')
  return url.href.replace(/\/+$/, '')
}

export function parseAddresses(flag: string, text: string | undefined): string[] {
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
export function parseAccelRedirect(text: string | undefined, proxies: readonly string[]): string | null {
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

export function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find(name => name === text)
  if (level === undefined) throw bad('--log-level', text, `one of ${logLevels.join(', ')}`)
  return level
}

/** Parses a switch from the environment: on by 1 or true, off by 0 or false. */
export function parseSwitch(flag: string, text: string): boolean {
  if (!['1', 'true', '0', 'false'].includes(text)) throw bad(flag, text, '1 or 0')
  return text === '1' || text === 'true'
}

/** The rule for every password. It does not use the API's schema, because this file is also loaded for `--help`. */
export function parsePassword(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  const bytes = utf8Length(text)
  if (bytes < minPasswordBytes || bytes > maxPasswordBytes) {
    const range = `${minPasswordBytes} to ${maxPasswordBytes}`
    throw new AppError('invalid_input', `FILESTORE_ADMIN_PASSWORD must have ${range} bytes`)
  }
  return text
}

/** Bytes of the server's secret. */
export const secretBytes = 32

/** A secret of 32 bytes as base64url; null for any other text. */
export function readSecret(text: string): Buffer | null {
  const plain = text.trim()
  const bytes = Buffer.from(plain, 'base64url')
  return /^[\w-]{43}$/.test(plain) && bytes.length === secretBytes ? bytes : null
}

/** The value of FILESTORE_SECRET_KEY; null if it is not set. */
export function parseSecretKey(text: string | undefined): Buffer | null {
  if (text === undefined || text === '') return null
  const secret = readSecret(text)
  if (secret === null) {
    throw new AppError('invalid_input', `FILESTORE_SECRET_KEY must be ${secretBytes} random bytes as base64url`)
  }
  return secret
}
