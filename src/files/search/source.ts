/** Chooses what a search reads: the index of names, or each row of a filter that leaves few. */
import type { Database } from '../../db/database.ts'
import { joinInOrder } from '../../db/join-in-order.ts'
import { createBinds } from '../../db/keyset.ts'
import { dateConditions, type SearchInput, sizeConditions, statusConditions, typeConditions } from './filters.ts'
import { type AddBind, type SearchSource, searchNames, searchRows } from './names.ts'

/**
 * If a filter leaves at most this many rows, they are read one by one without the index of names. With the index, a
 * common text with a rare filter would read a row for each name that contains the text.
 */
const fewRows = 10_000

/** A filter that an index can serve. */
interface IndexedFilter {
  isGiven: boolean
  /** `counted` is the table to count its rows from, using only an index; `from` is the table to read them from. */
  counted: string
  from: string
  where: (add: AddBind) => string[]
  /** The id column to order by, if it is not that of `files`. */
  id?: string
}

function indexedFilters(db: Database, spaceId: number, input: SearchInput): IndexedFilter[] {
  const isMariadb = db.dialect === 'mariadb'
  const byIndex = (index: string) => `files f ${isMariadb ? `FORCE INDEX (${index})` : `INDEXED BY ${index}`}`
  const live = (add: AddBind) => [`f.space_id = ${add(spaceId)}`, 'f.deleted_at IS NULL']
  const ofFiles = (index: string, isGiven: boolean, rest: (add: AddBind) => string[]): IndexedFilter => {
    return { isGiven, counted: byIndex(index), from: byIndex(index), where: add => [...live(add), ...rest(add)] }
  }
  const { tag_id, mime_type, status, min_size, max_size, date_from, date_to } = input
  return [
    {
      isGiven: tag_id !== undefined,
      counted: 'file_tags ft',
      from: `file_tags ft ${joinInOrder[db.dialect]} files f ON f.id = ft.file_id`,
      where: add => [`ft.tag_id = ${add(tag_id ?? null)}`],
      id: 'ft.file_id',
    },
    ofFiles('files_held', status === 'pending' || status === 'rejected', add => statusConditions(input, add)),
    ofFiles('files_sizes', min_size !== undefined || max_size !== undefined, add => sizeConditions(input, add)),
    ofFiles('files_kinds', mime_type !== undefined, add => typeConditions(input, add)),
    ofFiles('files_recent', date_from !== undefined || date_to !== undefined, add => [
      'f.is_directory IN (0, 1)',
      ...dateConditions(input, add),
    ]),
  ]
}

async function leavesFew(db: Database, { counted, where }: IndexedFilter): Promise<boolean> {
  const binds = createBinds()
  const row = await db.row<{ count: number }>(
    `SELECT COUNT(*) AS count
     FROM (SELECT 1 FROM ${counted} WHERE ${where(binds.add).join(' AND ')} LIMIT ${fewRows + 1}) counted`,
    binds.values,
  )
  return (row?.count ?? 0) <= fewRows
}

/** Chooses the source for a folded text. An empty one needs the filter by tag, which comes first and is read then. */
export async function chooseSource(
  db: Database,
  spaceId: number,
  text: string,
  input: SearchInput,
  add: AddBind,
): Promise<SearchSource> {
  for (const filter of indexedFilters(db, spaceId, input)) {
    if (filter.isGiven && (text === '' || (await leavesFew(db, filter)))) {
      const { where, id } = searchRows(spaceId, text, add)
      return { from: filter.from, where: [...filter.where(add), ...where], id: filter.id ?? id }
    }
  }
  return searchNames(db, spaceId, text, add)
}
