/** Where a search looks for a text in names: the trigram index on SQLite, the space's narrow index on MariaDB. */
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

/** A text between quotes as FTS5 reads it: nothing in it is syntax but the quote. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** The space's id as the index holds it (migrations/0025-file-search.ts): 16 bits in each of three characters. */
export const spaceToken = (spaceId: number): string =>
  String.fromCodePoint(...[0, 16, 32].map(shift => 0x10000 + (Math.floor(spaceId / 2 ** shift) % 0x10000)))

/** The rows of a space, read one by one, whose name holds a folded text. */
export const searchRows = (spaceId: number, text: string, add: AddBind): SearchSource => ({
  from: 'files f',
  where: [`f.space_id = ${add(spaceId)}`, `INSTR(f.name_folded, ${add(text)}) > 0`],
  id: 'f.id',
})

function searchTrigrams(spaceId: number, text: string, add: AddBind): SearchSource {
  const start = [...text].slice(0, maxTrigramText).join('')
  const match = `{name_folded} : ${quoted(start)} AND {space} : ${quoted(spaceToken(spaceId))}`
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

/** The items of a large space whose name holds a folded text that is not empty. */
export function searchNames(db: Database, spaceId: number, text: string, add: AddBind): SearchSource {
  if (db.dialect === 'mariadb') return searchNarrowIndex(spaceId, text, add)
  const hasTrigram = [...text].length >= trigramLength
  return hasTrigram ? searchTrigrams(spaceId, text, add) : searchRows(spaceId, text, add)
}
