/** One process at a time in a place of backups: what one of them saves, another's pruning would take for left over. */
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { minute } from '../../clock.ts'
import { AppError, systemCode } from '../../errors.ts'

/** ms after which a lock that nobody touched is a dead process's, wherever that ran; and between two touches. */
const lockTime = 2 * minute
const touchTime = lockTime / 8

/** Whether the process is one of this machine that has ended. */
function hasEnded(holder: string): boolean {
  const [pid, host] = holder.split(' ')
  if (host !== hostname()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return systemCode(error) === 'ESRCH'
  }
}

/** Removes a lock whose process is gone. Throws `in_use` where it may be at work. */
async function breakLock(file: string): Promise<void> {
  const holder = await readFile(file, 'utf8').catch(() => '')
  const age = Date.now() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? 0)
  if (!hasEnded(holder) && age < lockTime) {
    const [pid = '?', host = '?'] = holder.split(' ')
    throw new AppError('in_use', `Process ${pid} on ${host} is at work on these backups: wait until it has ended`)
  }
  await rm(file, { force: true })
}

/** False where the place cannot be written, and so nobody changes it. */
async function take(file: string): Promise<boolean> {
  const holder = `${process.pid} ${hostname()}`
  for (let attempt = 0; ; attempt++) {
    try {
      await writeFile(file, holder, { flag: 'wx', mode: 0o600 })
      return true
    } catch (error) {
      if (systemCode(error) === 'EROFS') return false
      if (systemCode(error) !== 'EEXIST' || attempt > 0) throw error
      await breakLock(file)
    }
  }
}

/** Whether a process is at work in the folder, or was when it was killed. */
export const isLocked = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, 'lock')).catch(() => undefined)) !== undefined

/** Runs something while no other process is at work in the folder. Throws `in_use` where one is. */
export async function withLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const file = join(folder, 'lock')
  if (!(await take(file))) return work()
  const timer = setInterval(() => {
    const now = new Date()
    utimes(file, now, now).catch(() => undefined)
  }, touchTime).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await rm(file, { force: true })
  }
}
