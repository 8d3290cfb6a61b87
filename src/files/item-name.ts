/** The columns that follow from a name, and free names where one is taken. */
import mime from 'mime-types'
import { maxNameBytes } from '../api/limits.ts'
import { splitName, utf8Length } from '../api/names.ts'
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

/** Cuts a text between characters so that it fits some bytes of UTF-8. */
export function cutToBytes(text: string, bytes: number): string {
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (utf8Length(cut) + utf8Length(segment) > bytes) break
    cut += segment
  }
  return cut
}

/** `stem (n).ext`, the stem cut so that the whole fits a name. */
export function numberedName(name: string, isDirectory: boolean, n: number): string {
  const { stem, extension } = splitName(name, isDirectory)
  const suffix = ` (${n})${extension}`
  // An extension that leaves no room for a stem is cut with it.
  if (utf8Length(suffix) >= maxNameBytes) return `${cutToBytes(name, maxNameBytes - utf8Length(` (${n})`))} (${n})`
  return cutToBytes(stem, maxNameBytes - utf8Length(suffix)) + suffix
}

/** What every `numberedName` of a name begins with, whatever its number: what the first and the longest share. */
function commonPrefix(name: string, isDirectory: boolean): string {
  const first = [...numberedName(name, isDirectory, 1)]
  const longest = [...numberedName(name, isDirectory, Number.MAX_SAFE_INTEGER)]
  const end = first.findIndex((character, index) => character !== longest[index])
  return first.slice(0, end).join('')
}

/** `name (n).ext` with the smallest n ≥ 1 that is not among some names. */
export function pickFreeName(name: string, isDirectory: boolean, taken: ReadonlySet<string>): string {
  let n = 1
  while (taken.has(numberedName(name, isDirectory, n))) n += 1
  return numberedName(name, isDirectory, n)
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
  return pickFreeName(name, isDirectory, new Set(rows.map(row => row.name)))
}
