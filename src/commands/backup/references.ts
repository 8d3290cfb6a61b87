/** Finds rows that refer to missing rows, without a database: in the rows of a backup. */
import { type IdSet, openIdSet } from '../../base/id-set.ts'
import type { TableForm, TableForms } from '../../db/table-forms.ts'
import type { Row } from '../../db/tables.ts'

/** Distinct ids in some rows of a table, by column; four bytes for each. */
export type MentionedIds = ReadonlyMap<string, Uint32Array | Float64Array>

/** Which row a column refers to: its foreign key, or for the mark of a trashed item the root of its tree. */
const targetOf = (table: string, { name, refersTo }: TableForm['columns'][number]) =>
  table === 'files' && name === 'trash_root_id' ? { table: 'files', column: 'id' } : refersTo

/** Above it, an id needs a float. */
const maxUint32 = 2 ** 32 - 1

/** The ids in some rows: their own, and those they refer to. A negative one refers to nothing, as 0 does. */
export function idsOf({ name: table, columns, key }: TableForm, rows: readonly Row[]): MentionedIds {
  const names = columns
    .filter(column => targetOf(table, column) !== null || key.join() === column.name)
    .map(({ name }) => name)
  return new Map(
    names.map(name => {
      const isKey = key.join() === name
      const numbers = rows.map(row => row[name]).filter(id => Number.isSafeInteger(id)) as number[]
      const ids = isKey ? numbers.filter(id => id >= 0) : numbers.map(id => Math.max(id, 0))
      const distinct = [...new Set(ids)]
      return [name, distinct.some(id => id > maxUint32) ? Float64Array.from(distinct) : Uint32Array.from(distinct)]
    }),
  )
}

/** Ids named in a problem. */
const toldIds = 5

/** The ids of `named` that are not in `there`: the first few, and how many there are. */
function findMissing(named: IdSet, there: IdSet) {
  const first: number[] = []
  let count = 0
  for (const id of named.ids()) {
    if (there.has(id)) continue
    count += 1
    if (first.length < toldIds) first.push(id)
  }
  return { first, count }
}

type Missing = ReturnType<typeof findMissing>

/** The first ids, and how many others there are. */
export function nameIds(ids: Iterable<number>, count = [...ids].length): string {
  const first = [...ids].slice(0, toldIds)
  const rest = count - first.length
  return `${first.join(', ')}${rest > 0 ? ` and ${rest} other${rest === 1 ? '' : 's'}` : ''}`
}

const describe = (table: string, column: string, target: string, { first, count }: Missing): string =>
  `table ${table}: rows with ${column} ${nameIds(first, count)}, of which there is none in ${target}`

/** Collects the ids of all rows, and then compares them. Needs one bit for each id of each column. */
export function openReferenceCheck(forms: TableForms) {
  const sets = new Map<string, IdSet>()
  const setOf = (table: string, column: string): IdSet => {
    const name = `${table}.${column}`
    const found = sets.get(name) ?? openIdSet()
    sets.set(name, found)
    return found
  }
  return {
    add(table: string, mentioned: MentionedIds): void {
      for (const [column, ids] of mentioned) {
        const set = setOf(table, column)
        for (const id of ids) set.add(id)
      }
    },
    /** One sentence for each column that refers to missing rows. */
    find: (): string[] =>
      [...forms.values()].flatMap(({ name, columns }) =>
        columns.flatMap(column => {
          const target = targetOf(name, column)
          if (target === null) return []
          const missing = findMissing(setOf(name, column.name), setOf(target.table, target.column))
          return missing.count === 0 ? [] : [describe(name, column.name, target.table, missing)]
        }),
      ),
  }
}
