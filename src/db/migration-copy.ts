/** The copies of an SQLite database that lie beside it from before its tables were changed. */
import { fsync } from 'node:fs'
import { link, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../base/errors.ts'
import { toAppError } from './failures.ts'
import { createPrivateFile, openConnection } from './sqlite.ts'
import { openStatements } from './sqlite-statements.ts'

/** Where the copy lies that `up` makes. */
export const copyOf = (file: string): string => `${file}.before-migration`
/** A copy that is not whole yet. Its journal has a longer name. */
const unfinishedOf = (file: string): string => `${copyOf(file)}.unfinished`

/** What copies that were broken off have left beside a database. */
export async function findUnfinished(file: string): Promise<string[]> {
  const names = await readdir(dirname(file))
  return names.filter(name => name.startsWith(`${basename(copyOf(file))}.`)).map(name => join(dirname(file), name))
}

/** Removes it. For whoever holds the database's write lock, as all do who copy: nobody writes it any more. */
export async function removeUnfinished(file: string): Promise<void> {
  for (const path of await findUnfinished(file)) await rm(path, { force: true })
}

/** Makes a file, or what was renamed in a folder, survive a power cut. */
async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r')
  try {
    await promisify(fsync)(opened.fd)
  } finally {
    await opened.close()
  }
}

/** SQLite copies in no transaction: this connection only reads, while that of the migration holds the write lock. */
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
 * Copies the database as it is, for its owner's eyes alone, and has `keep` give the whole copy its name. Wants its write
 * lock held: nobody else copies it meanwhile, and what others write comes after both copy and migration. Throws
 * `storage_full` where there is no room.
 */
async function copyDatabase(file: string, keep: (copy: string) => Promise<void>): Promise<void> {
  await removeUnfinished(file)
  const unfinished = unfinishedOf(file)
  try {
    createPrivateFile(unfinished)
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

/** Copies the database before its migrations run; the copy takes the place of the one from before. */
export const copyBeforeUp = (file: string): Promise<void> => copyDatabase(file, copy => rename(copy, copyOf(file)))

/** Under a name of its own: unlike that of `up`, this copy holds what is nowhere else any more. Gives back where it lies. */
export async function copyBeforeDown(file: string): Promise<string> {
  const kept = `${file}.before-down-${new Date().toISOString().replace(/[-:.Z]/g, '')}`
  await copyDatabase(file, async copy => {
    // Unlike a rename this takes no file's place.
    await link(copy, kept)
    await rm(copy)
  })
  return kept
}
