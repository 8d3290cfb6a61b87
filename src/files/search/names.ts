/** Where a search looks for a text in names: the space's trigrams on SQLite, the space's narrow index on MariaDB. */
import type { Bind } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'

/** `from` gives rows `f` of files, and each hit fulfils `where`, which holds the `$n` of its values. */
export interface SearchSource {
  from: string
  where: string[]
  /** The id as the table has it that is read first: by this name neither database needs to sort what it reads. */
  id: string
}

export type AddBind = (value: Bind) => string

/** The shortest text that the trigram index knows, and the longest that it is asked for: the rows decide anyway. */
const trigramLength = 3
const maxTrigramText = 64

/** A name that folds into more characters has one trigram for all, which no other has: SQLite counts to each of them anew. */
const mostIndexed = 300
const ofLongName = '\u0001\u0001\u0001'

/** The trigrams of a folded name, each once. */
export function trigramsOf(name: string): Set<string> {
  const characters = [...name]
  if (characters.length > mostIndexed) return new Set([ofLongName])
  const trigrams = new Set<string>()
  for (let place = 0; place + trigramLength <= characters.length; place++) {
    trigrams.add(characters.slice(place, place + trigramLength).join(''))
  }
  return trigrams
}

/** A space's trigram as SQLite's index has it: migrations/0046-search-by-space.ts. */
const wordOf = (spaceId: number, trigram: string) => `${spaceId}x${Buffer.from(trigram).toString('hex')}`

/** The words of a row `f` of files as an expression, null for a name of one or two letters. */
export const trigramWordsOfRow = `CASE WHEN length(f.name_folded) > ${mostIndexed}
  THEN f.space_id || 'x${Buffer.from(ofLongName).toString('hex')}' ELSE (
  SELECT group_concat(f.space_id || 'x' || hex(substr(f.name_folded, place.key + 1, ${trigramLength})), ' ')
  FROM json_each('[0' || replace(hex(zeroblob(length(f.name_folded) - ${trigramLength})), '00', ',0') || ']') place
  WHERE place.key + ${trigramLength} <= length(f.name_folded)) END`

/** The rows of a space, read one by one, whose name holds a folded text. */
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
    // CROSS: left to itself SQLite may ask the index anew for each row of the space.
    from: 'file_search CROSS JOIN files f ON f.id = file_search.rowid',
    where: [`file_search MATCH ${add(match)}`, ...rows.where],
    id: 'file_search.rowid',
  }
}

/** The index stands under a name of its own: were it one table with `f`, MariaDB would read each row beside it. */
const searchNarrowIndex = (spaceId: number, text: string, add: AddBind): SearchSource => ({
  from: 'files s FORCE INDEX (files_search) STRAIGHT_JOIN files f ON f.id = s.id',
  where: [`s.space_id = ${add(spaceId)}`, `INSTR(s.name_folded, ${add(text)}) > 0`],
  id: 's.id',
})

/** The items of a space whose name holds a folded text that is not empty. */
export function searchNames(db: Database, spaceId: number, text: string, add: AddBind): SearchSource {
  if (db.dialect === 'mariadb') return searchNarrowIndex(spaceId, text, add)
  const hasTrigram = [...text].length >= trigramLength
  return hasTrigram ? searchTrigrams(spaceId, text, add) : searchRows(spaceId, text, add)
}
