/** What the paths on this machine lead to. */
import type { Stats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { reachPath } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'

const isNothing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** Looks at a path, through links; undefined where nothing is. */
export async function findLocal(path: string): Promise<Stats | undefined> {
  try {
    return await stat(reachPath(path))
  } catch (error) {
    if (isNothing(error)) return undefined
    throw error
  }
}

/**
 * Refuses a link at a path that nobody gave, but which a download has come to: it may lead anywhere, and somebody else may
 * have put it there. Throws `conflict`.
 */
export async function refuseLink(path: string): Promise<void> {
  const found = await lstat(reachPath(path)).catch(() => undefined)
  if (!found?.isSymbolicLink()) return
  const advice = 'nothing is written through it; remove it, or give its own path'
  throw new CommandError('conflict', `'${path}' is a link and stays as it is: ${advice}`)
}

/** Looks at a path, through links. Throws `usage` where nothing is. */
export async function requireLocal(path: string): Promise<Stats> {
  const stats = await findLocal(path)
  if (stats === undefined) throw new CommandError('usage', `There is no '${path}' on this machine`)
  return stats
}
