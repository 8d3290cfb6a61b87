/** Copies of an SQLite database, made beside it before its tables are changed. */
import { fsync } from 'node:fs'
import { link, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../base/errors.ts'
import { toAppError } from './failures.ts'
import { createPrivateFile, openConnection } from './sqlite.ts'
import { openStatements } from './sqlite-statements.ts'

/** The path of the copy that `up` makes. */
export const copyOf = (file: string): string => `${file}.before-migration`
/** The path of a copy that is not complete yet. Its journal's name begins with the same path. */
const unfinishedOf = (file: string): string => `${copyOf(file)}.unfinished`

/** Returns the files that interrupted copies have left beside a database. */
export async function findUnfinished(file: string): Promise<string[]> {
  const names = await readdir(dirname(file))
  return names.filter(name => name.startsWith(`${basename(copyOf(file))}.`)).map(name => join(dirname(file), name))
}

/** Removes them. The caller must hold the database's write lock, as every copier does, so nobody is writing them. */
export async function removeUnfinished(file: string): Promise<void> {
  for (const path of await findUnfinished(file)) await rm(path, { force: true })
}

/** Syncs a file, or a folder after a rename in it, so that it survives a power cut. */
async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r')
  try {
    await promisify(fsync)(opened.fd)
  } finally {
    await opened.close()
  }
}

/** SQLite cannot copy inside a transaction. This connection only reads; the migration's own holds the write lock. */
async function copyInto(file: string, target: string): Promise<void> {
  const connection = await openConnection(file)
  const statements = openStatements(connection)
  try {
    await statements.change('VACUUM INTO $1', [target])
  } finally {
    await statements.close()
    await promisify(connection.close.bind(connection))()
  }
}

/**
 * Copies the database, readable only by its owner, and has `keep` give the complete copy its name. The caller must hold
 * the write lock, so that nobody else copies at the same time, and other writes come after the copy and the migration.
 * Throws `storage_full` if there is no room.
 */
async function copyDatabase(file: string, keep: (copy: string) => Promise<void>): Promise<void> {
  await removeUnfinished(file)
  const unfinished = unfinishedOf(file)
  try {
    await createPrivateFile(unfinished)
    await copyInto(file, unfinished)
    await sync(unfinished)
    await keep(unfinished)
    await sync(dirname(file))
  } catch (error) {
    await removeUnfinished(file)
    if (toAppError(error).code !== 'storage_full') throw error
    const need = 'it is copied before it is migrated, which needs as much room beside it as it has itself'
    throw new AppError('storage_full', `There is no space left to copy ${file}: ${need}`, { cause: error })
  }
}

/** Copies the database before its migrations run; the copy replaces the previous one. */
export const copyBeforeUp = (file: string): Promise<void> => copyDatabase(file, copy => rename(copy, copyOf(file)))

/** Copies under a unique name, because the data that `down` removes exists nowhere else. Returns the copy's path. */
export async function copyBeforeDown(file: string): Promise<string> {
  const kept = `${file}.before-down-${new Date().toISOString().replace(/[-:.Z]/g, '')}`
  await copyDatabase(file, async copy => {
    // Unlike rename, link never replaces an existing file.
    await link(copy, kept)
    await rm(copy)
  })
  return kept
}
