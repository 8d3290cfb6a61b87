/** Completes paths on this machine, as shells do on Tab. */
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { resolvePath } from '../../src/base/process-context.ts'
import { visible } from '../../terminal/visible.ts'
import { findLocal } from '../local-path.ts'
import type { Completed } from './modes.ts'

/** Returns the absolute path that a person typed; `~` is the home folder. */
export const localPath = (text: string): string => resolvePath(text.replace(/^~(?=\/|$)/, () => homedir()))

/** Returns what all of the names begin with. */
export function sharedStart(names: readonly string[]): string {
  const [first = ''] = names
  let length = first.length
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

async function readNames(folder: string, start: string, foldersOnly: boolean): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter(
    name => name.startsWith(start) && (start !== '' || !name.startsWith('.')),
  )
  const marked = await Promise.all(
    names.map(async name => ((await findLocal(join(folder, name)))?.isDirectory() ? `${name}/` : name)),
  )
  return marked.filter(name => !foldersOnly || name.endsWith('/')).sort()
}

/** Completes a path as far as it is unambiguous, and returns the possible names if there are several. */
export async function completePath(text: string, foldersOnly: boolean): Promise<Completed> {
  if (text === '~') return { text: '~/', choices: [] }
  const slash = text.lastIndexOf('/') + 1
  const folder = localPath(text.slice(0, slash) || '.')
  const names = await readNames(folder, text.slice(slash), foldersOnly)
  if (names.length === 0) return { text, choices: [] }
  return { text: text.slice(0, slash) + sharedStart(names), choices: names.length > 1 ? names.map(visible) : [] }
}
