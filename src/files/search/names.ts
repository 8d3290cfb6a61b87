/**
 * Searches names for a text: by the space's trigrams on SQLite; by the space's narrow index on MariaDB, and on SQLite for
 * texts of one or two letters.
 */
import type { Bind } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { joinInOrder } from '../../db/join-in-order.ts'

/** `from` yields rows `f` of files; hits satisfy all conditions of `where`, which refer to their values as `$n`. */
export interface SearchSource {
  from: string
  where: string[]
  /** The id column of the table that is read first; ordering by it saves both databases a sort. */
  id: string
}

export type AddBind = (value: Bind) => string

/**
 * The shortest text that the trigram index can find, and how much of a text is looked up there; rows are checked
 * anyway.
 */
const trigramLength = 3
const maxTrigramText = 64

/**
 * A name that folds to more characters is indexed under one special trigram only, because SQLite counts from the start
 * of the name to reach each trigram.
 */
const mostIndexed = 300
const ofLongName = '\u0001\u0001\u0001'

/** The distinct trigrams of a folded name. */
export function trigramsOf(name: string): Set<string> {
  const characters = [...name]
  if (characters.length > mostIndexed) return new Set([ofLongName])
  const trigrams = new Set<string>()
  for (let place = 0; place + trigramLength <= characters.length; place++) {
    trigrams.add(characters.slice(place, place + trigramLength).join(''))
  }
  return trigrams
}

/** The word for a space's trigram in SQLite's index; migrations/0046-search-by-space.ts builds the same. */
const wordOf = (spaceId: number, trigram: string) => `${spaceId}x${Buffer.from(trigram).toString('hex')}`

/** An SQL expression for the index words of a row `f` of files; null for a name of one or two letters. */
export const trigramWordsOfRow = `CASE WHEN length(f.name_folded) > ${mostIndexed}
  THEN f.space_id || 'x${Buffer.from(ofLongName).toString('hex')}' ELSE (
  SELECT group_concat(f.space_id || 'x' || hex(substr(f.name_folded, place.key + 1, ${trigramLength})), ' ')
  FROM json_each('[0' || replace(hex(zeroblob(length(f.name_folded) - ${trigramLength})), '00', ',0') || ']') place
  WHERE place.key + ${trigramLength} <= length(f.name_folded)) END`

/** Finds the items of a space whose name contains a folded text by reading every row. */
export const searchRows = (spaceId: number, text: string, add: AddBind): SearchSource => ({
  from: 'files f',
  where: [`f.space_id = ${add(spaceId)}`, `INSTR(f.name_folded, ${add(text)}) > 0`],
  id: 'f.id',
})

function searchTrigrams(spaceId: number, text: string, add: AddBind): SearchSource {
  const start = [...text].slice(0, maxTrigramText).join('')
  const ofText = [...trigramsOf(start)].map(trigram => wordOf(spaceId, trigram)).join(' AND ')
  const match = `(${ofText}) OR ${wordOf(spaceId, ofLongName)}`
  const rows = searchRows(spaceId, text, add)
  return {
    // CROSS JOIN fixes the order; otherwise SQLite may query the index once for each row of the space.
    from: 'file_search CROSS JOIN files f ON f.id = file_search.rowid',
    where: [`file_search MATCH ${add(match)}`, ...rows.where],
    id: 'file_search.rowid',
  }
}

/** Reads the index through a table alias of its own; with `f` alone the database would also read each row. */
const narrowIndex = {
  mariadb: 'files s FORCE INDEX (files_search) STRAIGHT_JOIN files f ON f.id = s.id',
  sqlite: 'files s INDEXED BY files_names CROSS JOIN files f ON f.id = s.id',
}

/** Reads all names of some spaces, those of the newest items first. */
const searchNarrowIndex = (
  dialect: Database['dialect'],
  spaceIds: readonly number[],
  text: string,
  add: AddBind,
): SearchSource => ({
  from: narrowIndex[dialect],
  where: [`s.space_id IN (${spaceIds.map(id => add(id)).join(', ')})`, `INSTR(s.name_folded, ${add(text)}) > 0`],
  id: 's.id',
})

const hasTrigram = (text: string): boolean => [...text].length >= trigramLength

/** Finds the items of some spaces whose name contains a folded text, all with one look-up of the index. */
export function searchSpaces(db: Database, spaceIds: readonly number[], text: string, add: AddBind): SearchSource {
  if (db.dialect === 'mariadb' || !hasTrigram(text)) return searchNarrowIndex(db.dialect, spaceIds, text, add)
  const start = [...text].slice(0, maxTrigramText).join('')
  const matches = spaceIds.map(spaceId => {
    const ofText = [...trigramsOf(start)].map(trigram => wordOf(spaceId, trigram)).join(' AND ')
    return `(${ofText}) OR ${wordOf(spaceId, ofLongName)}`
  })
  return {
    from: 'file_search CROSS JOIN files f ON f.id = file_search.rowid',
    where: [
      `file_search MATCH ${add(matches.join(' OR '))}`,
      `f.space_id IN (${spaceIds.map(id => add(id)).join(', ')})`,
      `INSTR(f.name_folded, ${add(text)}) > 0`,
    ],
    id: 'file_search.rowid',
  }
}

/** Finds the files of some spaces that have a tag, whatever their names. */
export const searchTagged = (
  { dialect }: Database,
  spaceIds: readonly number[],
  tagId: number | null,
  add: AddBind,
): SearchSource => ({
  from: `file_tags ft ${joinInOrder[dialect]} files f ON f.id = ft.file_id`,
  where: [`ft.tag_id = ${add(tagId)}`, `f.space_id IN (${spaceIds.map(id => add(id)).join(', ')})`],
  id: 'ft.file_id',
})

/** Finds the items whose name contains a folded text right in some folders. */
export const searchRightIn = (folderIds: readonly number[], text: string, add: AddBind): SearchSource => ({
  from: 'files f',
  where: [`f.live_parent IN (${folderIds.map(id => add(id)).join(', ')})`, `INSTR(f.name_folded, ${add(text)}) > 0`],
  id: 'f.id',
})

/** Finds the items of a space whose name contains a folded text, which must not be empty. */
export function searchNames(db: Database, spaceId: number, text: string, add: AddBind): SearchSource {
  if (db.dialect === 'mariadb' || !hasTrigram(text)) return searchNarrowIndex(db.dialect, [spaceId], text, add)
  return searchTrigrams(spaceId, text, add)
}
