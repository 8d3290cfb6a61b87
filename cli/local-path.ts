/** What the paths on this machine lead to. */
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { CommandError } from './exit.ts'

const isNothing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** Looks at a path, through links; undefined where nothing is. */
export async function findLocal(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (isNothing(error)) return undefined
    throw error
  }
}

/** Looks at a path, through links. Throws `usage` where nothing is. */
export async function requireLocal(path: string): Promise<Stats> {
  const stats = await findLocal(path)
  if (stats === undefined) throw new CommandError('usage', `There is no '${path}' on this machine`)
  return stats
}
