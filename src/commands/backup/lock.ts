/** Allows one process at a time in a backup folder: pruning would delete what another process is still saving. */
import { randomUUID } from 'node:crypto'
import { link, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { minute, second } from '../../base/clock.ts'
import { AppError, isLinkRefusal, systemCode } from '../../base/errors.ts'
import { mostWordsBytes, readText } from '../../base/read-text.ts'

/** A lock untouched for this many ms belongs to a dead process, on whichever machine; below, the ms between touches. */
const lockTime = 2 * minute
const touchTime = lockTime / 8
/** An empty lock older than this many ms was left by a crash; a younger one is just being made. */
const emptyTime = 10 * second

interface Holder {
  pid: number
  host: string
}

/** The owner of a lock; null when the lock does not say. */
function parseHolder(text: string): Holder | null {
  const [, pid, host] = /^(\d+) (\S+)$/.exec(text) ?? []
  return pid === undefined || host === undefined ? null : { pid: Number(pid), host }
}

/** Whether the process ran on this machine and has ended. */
function hasEnded({ pid, host }: Holder): boolean {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return systemCode(error) === 'ESRCH'
  }
}

const ageOf = async (file: string): Promise<number> =>
  Date.now() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? 0)

/** The text of a lock; null when it cannot be read, for example because it is another user's. */
const readLock = (file: string): Promise<string | null> =>
  readText(file, { most: mostWordsBytes }).catch(error => (systemCode(error) === 'ENOENT' ? '' : null))

/** Whether a power cut left the lock empty. Some file systems fill unwritten blocks with zeros. */
const isEmpty = (text: string): boolean => text.replaceAll('\0', '') === ''

/** Removes the lock of a dead process. Throws `in_use` when its process may be running. */
async function breakLock(file: string): Promise<void> {
  const text = await readLock(file)
  const holder = text === null ? null : parseHolder(text)
  const time = text !== null && isEmpty(text) ? emptyTime : lockTime
  const isOver = (holder !== null && hasEnded(holder)) || (await ageOf(file)) >= time
  if (!isOver) {
    const who = holder === null ? 'Another process' : `Process ${holder.pid} on ${holder.host}`
    throw new AppError('in_use', `${who} is at work on these backups: wait until it has ended`)
  }
  await rm(file, { force: true })
}

/** Creates the lock with its owner inside, so that a killed process never leaves an empty one. Throws `EEXIST`. */
async function makeLock(file: string): Promise<void> {
  const holder = `${process.pid} ${hostname()}`
  const draft = `${file}-${randomUUID()}`
  await writeFile(draft, holder, { flag: 'wx', mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if (!isLinkRefusal(error)) throw error
    await writeFile(file, holder, { flag: 'wx', mode: 0o600 })
  } finally {
    await rm(draft, { force: true })
  }
}

/** Returns false when the folder is read-only, so that nobody changes it. */
async function take(file: string): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      await makeLock(file)
      return true
    } catch (error) {
      if (systemCode(error) === 'EROFS') return false
      if (systemCode(error) !== 'EEXIST' || attempt > 0) throw error
      await breakLock(file)
    }
  }
}

const isLockFile = (name: string): boolean => name === 'lock' || name.startsWith('lock-')

/** Removes drafts of locks, left by processes that were killed before they had the lock. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter(name => name !== 'lock' && isLockFile(name))
  for (const name of drafts) {
    const draft = join(folder, name)
    if ((await ageOf(draft)) >= lockTime) await rm(draft, { force: true })
  }
}

/** Whether a process uses the folder, or did when it was killed. */
export const isLocked = async (folder: string): Promise<boolean> =>
  (await readdir(folder).catch(() => [])).some(isLockFile)

/** Runs something while no other process uses the folder. Throws `in_use` when one does. */
export async function withLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const file = join(folder, 'lock')
  if (!(await take(file))) return work()
  const timer = setInterval(() => {
    const now = new Date()
    utimes(file, now, now).catch(() => undefined)
  }, touchTime).unref()
  try {
    await removeDrafts(folder)
    return await work()
  } finally {
    clearInterval(timer)
    await rm(file, { force: true })
  }
}
