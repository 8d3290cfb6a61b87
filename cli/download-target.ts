/** Where downloads go on this machine. */
import { CommandError } from '../terminal/exit.ts'
import { type NamedPlace, pathInside } from './download-run.ts'
import { refuseHidden } from './local-name.ts'
import { findLocal } from './local-path.ts'
import { labelOf, type RemoteItem } from './remote-item.ts'
import { typedName } from './remote-path.ts'

/** Into a folder under their own names, to one path, or to standard output. */
export type Target = { kind: 'folder' | 'file'; path: string } | { kind: 'stdout' }

export interface Destination {
  target: Target
  /**
   * Whether the person named what is written: by a local place, or by the name of the item. Only then files are replaced
   * that are there with other bytes, and a hidden name is kept.
   */
  replaces: boolean
}

/** Chooses the target by what is at the local path now. Throws `usage` if several files have no folder to go to. */
export async function chooseTarget(path: string, several: boolean): Promise<Target> {
  if (path === '-') return { kind: 'stdout' }
  if ((await findLocal(path))?.isDirectory()) return { kind: 'folder', path }
  if (!several && !path.endsWith('/')) return { kind: 'file', path }
  const hint = several ? "; of several paths the last is the local folder, '.' for the current one" : ''
  throw new CommandError('usage', `There is no folder '${path}' on this machine${hint}`)
}

/**
 * Throws `unexpected` if the server's answer to a path has another name than the path, and the local name would be that
 * one: the server could choose any file to write over. `text` is what the person typed.
 */
export function checkName(target: Target, { name }: Pick<RemoteItem, 'name'>, text: string): void {
  if (target.kind !== 'folder' || name === (typedName(text) ?? name)) return
  const advice = 'nothing is saved under that name; to get it all the same, give a local path'
  throw new CommandError('unexpected', `The server answers '${text}' with an item named '${name}': ${advice}`)
}

/** Throws `usage` like `refuseHidden` if the server, or whoever made the link, names what is written. */
export function refuseUntyped(
  { target, replaces }: Destination,
  { name }: Pick<RemoteItem, 'name'>,
  given: string,
): void {
  if (!replaces && target.kind === 'folder') refuseHidden(name, given)
}

/** Whether a person who types this names the item, so that the server does not. */
export const namesItem = (text: string): boolean => typedName(text) !== undefined

/** Returns the place of a named item. Throws `usage` for a folder on standard output. */
export function placeOf(target: Target, item: RemoteItem): NamedPlace {
  if (target.kind === 'folder') return { path: pathInside(target.path, item.name), follows: !item.is_directory }
  if (target.kind === 'file') return { path: target.path, follows: true }
  if (!item.is_directory) return { path: null, follows: false }
  throw new CommandError('usage', `'${labelOf(item)}' is a folder: --zip makes one stream of it`)
}
