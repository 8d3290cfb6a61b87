/** The columns that follow from a name, and free names where one is taken. */
import mime from 'mime-types'
import { type NumberedForm, numberedForm, splitName } from '../api/names.ts'
import type { Database } from '../db/database.ts'
import { fold, sortKey } from '../db/fold.ts'

/** The type that a name's extension stands for; the one a client declares is not trusted. */
const mimeTypeOf = (name: string): string => {
  const { extension } = splitName(name, false)
  // Asked for a bare word, the library would take the word itself for an extension.
  return (extension !== '' && mime.lookup(extension)) || 'application/octet-stream'
}

/** name, name_folded, sort_key and mime_type of an item called so. */
export const nameColumns = (name: string, isDirectory: boolean) => ({
  name,
  name_folded: fold(name),
  sort_key: sortKey(name),
  mime_type: isDirectory ? null : mimeTypeOf(name),
})

/** What all numbered forms of a name begin with: what the longest and the shortest share. */
function commonPrefix(name: string, isDirectory: boolean): string {
  const longest = [...numberedForm(name, isDirectory, 1).before]
  const shortest = [...numberedForm(name, isDirectory, String(Number.MAX_SAFE_INTEGER).length).before]
  const end = longest.findIndex((character, index) => character !== shortest[index])
  return longest.slice(0, end < 0 ? undefined : end).join('')
}

/** The numbers, as text, of those names that have a form. */
function numbersOf({ before, after, first }: NumberedForm, names: readonly string[]): Set<string> {
  const digits = String(first).length
  const length = before.length + digits + after.length
  const alike = names.filter(name => name.length === length && name.startsWith(before) && name.endsWith(after))
  return new Set(alike.map(name => name.slice(before.length, before.length + digits)))
}

/** `name (n).ext` with the smallest n ≥ 1 that is not among some names. */
export function pickFreeName(name: string, isDirectory: boolean, taken: Iterable<string>): string {
  const names = [...taken]
  for (let digits = 1; ; digits++) {
    const form = numberedForm(name, isDirectory, digits)
    const numbers = numbersOf(form, names)
    let n = form.first
    while (numbers.has(String(n))) n++
    if (n < form.end) return form.before + n + form.after
  }
}

/**
 * The name itself where it is free among the live items of a folder (null: the root), else `name (n).ext` with the
 * smallest free n ≥ 1, found in one range of the name index.
 */
export async function findFreeName(
  db: Database,
  spaceId: number,
  parentId: number | null,
  name: string,
  isDirectory: boolean,
): Promise<string> {
  const folder = [spaceId, parentId ?? 0]
  const same = await db.row('SELECT id FROM files WHERE space_id = $1 AND live_parent = $2 AND name = $3', [
    ...folder,
    name,
  ])
  if (same === undefined) return name
  const prefix = commonPrefix(name, isDirectory)
  const rows = await db.rows<{ name: string }>(
    'SELECT name FROM files WHERE space_id = $1 AND live_parent = $2 AND name >= $3 AND name < $4',
    [...folder, prefix, `${prefix}\u{10FFFF}`],
  )
  return pickFreeName(
    name,
    isDirectory,
    rows.map(row => row.name),
  )
}
