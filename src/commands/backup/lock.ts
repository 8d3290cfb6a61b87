/** One process at a time in a place of backups: what one of them saves, another's pruning would take for left over. */
import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { minute, second } from '../../base/clock.ts'
import { AppError, isLinkRefusal, systemCode } from '../../base/errors.ts'

/** ms after which a lock that nobody touched is a dead process's, wherever that ran; and between two touches. */
const lockTime = 2 * minute
const touchTime = lockTime / 8
/** ms after which a lock with nothing in it is what a crash has left, and not one that is being made. */
const emptyTime = 10 * second

interface Holder {
  pid: number
  host: string
}

/** Who a lock is of; null where it does not say. */
function parseHolder(text: string): Holder | null {
  const [, pid, host] = /^(\d+) (\S+)$/.exec(text) ?? []
  return pid === undefined || host === undefined ? null : { pid: Number(pid), host }
}

/** Whether the process is one of this machine that has ended. */
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

/** The words of a lock; null where they cannot be read, as those of another user's. */
const readLock = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch(error => (systemCode(error) === 'ENOENT' ? '' : null))

/** Whether a power cut has left it: some file systems fill with zeros what they had no time to write. */
const isEmpty = (text: string): boolean => text.replaceAll('\0', '') === ''

/** Removes a lock whose process is gone. Throws `in_use` where it may be at work. */
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

/** Makes the lock with its holder already in it: a process that is killed meanwhile leaves no empty one. Throws `EEXIST`. */
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

/** False where the place cannot be written, and so nobody changes it. */
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

/** Removes what processes have left that were killed before their lock was there. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter(name => name !== 'lock' && isLockFile(name))
  for (const name of drafts) {
    const draft = join(folder, name)
    if ((await ageOf(draft)) >= lockTime) await rm(draft, { force: true })
  }
}

/** Whether a process is at work in the folder, or was when it was killed. */
export const isLocked = async (folder: string): Promise<boolean> =>
  (await readdir(folder).catch(() => [])).some(isLockFile)

/** Runs something while no other process is at work in the folder. Throws `in_use` where one is. */
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
