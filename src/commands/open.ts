/** Opens the server's own data for a command beside the server, and explains failures to open it. */
import { statSync } from 'node:fs'
import { AppError, systemCode } from '../base/errors.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { folderOfStore } from '../blobs/open-store.ts'
import { type Config, readConfig } from '../config.ts'
import type { Flags } from '../config-options.ts'
import { driverError } from '../db/connections.ts'
import type { Database } from '../db/database.ts'
import { isDamage, toAppError } from '../db/failures.ts'
import { findMigrations, migrateUp, refuseOlder, refuseUnmigrated } from '../db/migrate.ts'
import type { Deps, RowDeps } from '../deps.ts'
import { closeDeps, openDeps, openRowDeps } from '../server/open-deps.ts'

/** Throws `invalid_input` if nothing exists at a path. Throws the system's error if the path cannot be checked. */
function refuseMissingPath(path: string, noun: string, flag: string): void {
  try {
    statSync(path)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw error
    const advice = `give --data-dir or ${flag} as the server has them`
    throw new AppError('invalid_input', `There is no ${noun} at ${path}: ${advice}`, { cause: error })
  }
}

/** Throws `invalid_input` if the SQLite file is missing. A MariaDB server itself reports a missing database. */
function refuseMissing({ database }: Config): void {
  if (database.dialect === 'sqlite') refuseMissingPath(database.file, 'database', '--database')
}

/** Error codes of the system and SQLite for files that belong to another user. */
const foreignCodes = ['EACCES', 'EPERM', 'EROFS', 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM']

/** Turns a failure of the database, disk or system into an `AppError` with advice. Returns other errors unchanged. */
function explain(error: unknown, { database }: Config): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  const { code = '', message = '' } = driverError(error)
  if (code === 'SQLITE_NOTADB' && database.dialect === 'sqlite') {
    const advice = 'give --data-dir as the server has it, or put a backup in its place'
    return new AppError('invalid_input', `${database.file} is no SQLite database: ${advice}`, { cause: error })
  }
  if (foreignCodes.includes(code)) {
    const path = 'path' in error ? error.path : database.dialect === 'sqlite' ? database.file : 'the data'
    const advice = 'run this as the user that the server runs as'
    return new AppError('forbidden', `No access to ${path}: ${advice} (${message})`, { cause: error })
  }
  if (code === 'SQLITE_IOERR' && database.dialect === 'sqlite') {
    // SQLite needs some disk space beside the database to open it, but does not say when there is none.
    const sentence = `${database.file} cannot be used: its disk is full or broken (${message})`
    return new AppError('unavailable', sentence, { cause: error })
  }
  if (isDamage(error) && database.dialect === 'sqlite') {
    const advice = "'filestore fsck' tells what is lost, and 'filestore restore' puts a backup in its place"
    return new AppError('internal', `${database.file} is damaged: ${advice} (${message})`, { cause: error })
  }
  const known = toAppError(error)
  if (known.code === 'internal') return error
  const isAway = known.code === 'unavailable' && database.dialect === 'mariadb'
  const sentence = isAway ? 'The database does not answer: is MariaDB running, and --database right?' : known.message
  return new AppError(known.code, `${sentence} (${message})`, { cause: error })
}

/**
 * Runs a command's work on the configuration that the flags give. Throws `invalid_input` for wrong flags and for a file
 * that is not a database, `forbidden` for files of another user, and `unavailable` if the database is unreachable or
 * busy.
 */
export async function withConfig<Result>(flags: Flags, work: (config: Config) => Promise<Result>): Promise<Result> {
  const config = readConfig(flags)
  try {
    return await work(config)
  } catch (error) {
    throw explain(error, config)
  }
}

/** Like `withConfig`, for a database that must exist. Also throws `invalid_input` if there is none. */
export const withDatabase = <Result>(flags: Flags, work: (config: Config) => Promise<Result>): Promise<Result> =>
  withConfig(flags, async config => {
    refuseMissing(config)
    return work(config)
  })

async function closeAfter<Opened extends RowDeps, Result>(
  deps: Opened,
  work: (deps: Opened) => Promise<Result>,
  refuse: (db: Database) => Promise<unknown> = refuseUnmigrated,
): Promise<Result> {
  try {
    await refuse(deps.db)
    return await work(deps)
  } finally {
    await closeDeps(deps)
  }
}

/** Works on all of the server's data, and creates it if it is not there yet. Throws like `withConfig`. */
export const withNew = <Result>(flags: Flags, work: (deps: Deps) => Promise<Result>): Promise<Result> =>
  withConfig(flags, async config => {
    await migrateUp(config.database)
    return closeAfter(await openDeps(config), work)
  })

/**
 * Works on the server's rows, also while the server runs. Throws `invalid_input` if there is no database or it has no
 * tables, and `unavailable` if the tables are those of another version.
 */
export const withRows = <Result>(flags: Flags, work: (deps: RowDeps) => Promise<Result>): Promise<Result> =>
  withDatabase(flags, async config => closeAfter(await openRowDeps(config), work))

const withStore = <Result>(
  flags: Flags,
  work: (deps: Deps) => Promise<Result>,
  refuse: (db: Database) => Promise<unknown>,
): Promise<Result> =>
  withDatabase(flags, async config => {
    const folder = folderOfStore(config)
    if (folder !== null) refuseMissingPath(folder, 'folder of bytes', '--storage')
    return closeAfter(await openDeps(config), work, refuse)
  })

/** Like `withRows`, with the files' bytes. Also throws `invalid_input` if their folder does not exist. */
export const withFiles = <Result>(flags: Flags, work: (deps: Deps) => Promise<Result>): Promise<Result> =>
  withStore(flags, work, refuseUnmigrated)

/** Like `withFiles`, for the command that repairs the database: the names of its migrations may be damaged. */
export const withDamagedFiles = <Result>(flags: Flags, work: (deps: Deps) => Promise<Result>): Promise<Result> =>
  withStore(flags, work, refuseOlder)

/** Like `withFiles`, for commands that only read: the tables may be those of an older filestore. */
export const withOldFiles = <Result>(flags: Flags, work: (deps: Deps) => Promise<Result>): Promise<Result> =>
  withStore(flags, work, findMigrations)

/**
 * Throws `forbidden` if root would write bytes into another user's storage: the server, which runs as that user, could
 * not read them.
 */
export function refuseForeign({ local }: BlobStore): void {
  if (local === null || process.getuid?.() !== 0 || statSync(local.folder).uid === 0) return
  throw new AppError('forbidden', `${local.folder} is another user's: run this as the user that the server runs as`)
}
