/** A lock between processes. Node has none, so this takes SQLite's lock on an empty file. */
import { chown, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type sqlite3 from 'sqlite3'
import { AppError } from '../base/errors.ts'
import { driverError } from './connections.ts'
import { connect, createPrivateFile } from './sqlite.ts'

/** ms to wait for another process, which may be about to end. */
const patience = 3000

/** Creates the file. Root gives it to the owner of its folder, who otherwise could not take the lock later. */
async function makeFile(path: string): Promise<void> {
  await createPrivateFile(path)
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  await chown(path, uid, gid)
}

async function take(path: string, refusal: string): Promise<sqlite3.Database> {
  await makeFile(path)
  const lock = await connect(path)
  try {
    await promisify(lock.exec.bind(lock))(`PRAGMA busy_timeout = ${patience}; BEGIN EXCLUSIVE`)
  } catch (error) {
    lock.close()
    if (driverError(error).code !== 'SQLITE_BUSY') throw error
    throw new AppError('in_use', refusal, { cause: error })
  }
  return lock
}

/**
 * Runs `work` while this process holds the lock of a path. The empty file stays; the system releases the lock when the
 * process ends, however it ends. Throws `in_use` with the message `refusal` if another process holds the lock.
 */
export async function withFileLock<T>(path: string, refusal: string, work: () => Promise<T>): Promise<T> {
  const lock = await take(path, refusal)
  try {
    return await work()
  } finally {
    await promisify(lock.close.bind(lock))()
  }
}
