/** Looks up paths on this machine. */
import type { Stats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { reachPath } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'

const isNothing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** Looks up a path, following links. Returns undefined if nothing is there. */
export async function findLocal(path: string): Promise<Stats | undefined> {
  try {
    return await stat(reachPath(path))
  } catch (error) {
    if (isNothing(error)) return undefined
    throw error
  }
}

/**
 * Throws `conflict` for a link at a path that a download chose itself, not the person: the link may lead anywhere, and
 * somebody else may have put it there.
 */
export async function refuseLink(path: string): Promise<void> {
  const found = await lstat(reachPath(path)).catch(() => undefined)
  if (!found?.isSymbolicLink()) return
  const advice = 'nothing is written through it; remove it, or give its own path'
  throw new CommandError('conflict', `'${path}' is a link and stays as it is: ${advice}`)
}

/** Throws `conflict` if anything is at a path, a link too, where the person did not say that it may be replaced. */
export async function refuseTaken(path: string): Promise<void> {
  const found = await lstat(reachPath(path)).catch(() => undefined)
  if (found === undefined) return
  const advice = "it stays as it is; to replace it, name a local place, such as '.' for the current folder"
  throw new CommandError('conflict', `'${path}' is there already, and is something else: ${advice}`)
}

/** Looks up a path, following links. Throws `usage` if nothing is there. */
export async function requireLocal(path: string): Promise<Stats> {
  const stats = await findLocal(path)
  if (stats === undefined) throw new CommandError('usage', `There is no '${path}' on this machine`)
  return stats
}
