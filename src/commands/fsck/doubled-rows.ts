/**
 * Rows with values that a UNIQUE index forbids, which can be there where the index lacks one of them. The index cannot be
 * built before only one row has the values.
 */
import type { Bind } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import type { Recorder } from '../../db/recorder.ts'
import { usernameSkeleton } from '../../db/skeletons.ts'
import type { Row } from '../../db/tables.ts'
import { userKey } from '../../db/user-key.ts'
import { type DoubledRow, findDoubled, type IndexedTable } from './index-entries.ts'
import { recordRepair } from './rows.ts'
import { wholeSideOf } from './safe-sides.ts'

/** Building the index of names anew renames the items itself (indexes.ts). */
const isMadeFree = (table: string): boolean => table === 'files'

export async function findAllDoubled(db: Database, table: IndexedTable, most: number): Promise<DoubledRow[]> {
  if (isMadeFree(table.name)) return []
  const found: DoubledRow[] = []
  for (const index of table.indexes.filter(({ isUnique, condition }) => isUnique && condition === null)) {
    found.push(...(await findDoubled(db, table, index, most)))
  }
  return found
}

export const tellDoubled = ({ columns }: DoubledRow): string => `another row has the same ${columns.join(' and ')}`

type IsFree = (column: string, value: string) => Promise<boolean>
type Rename = (row: Row, columns: readonly string[], isFree: IsFree) => Promise<Row>

/** The first values of which no other row has any; `make` gets a name for the row that is made of its id. */
async function firstFree({ id }: Row, isFree: IsFree, make: (name: string) => Record<string, string>): Promise<Row> {
  for (let n = 1; ; n += 1) {
    const values = make(n === 1 ? String(id) : `${id}-${n}`)
    const free = await Promise.all(Object.entries(values).map(([column, value]) => isFree(column, value)))
    if (free.every(Boolean)) return values
  }
}

const numbered =
  (noun: string): Rename =>
  (row, _, isFree) =>
    firstFree(row, isFree, name => ({ name: `${noun} ${name}` }))

/** What a user or a group is called tells its key. */
const ownKey = async (row: Row, column: string, isFree: IsFree): Promise<Row | undefined> => {
  const key = userKey(String(row[column]))
  return (await isFree(`${column}_key`, key)) ? { [`${column}_key`]: key } : undefined
}

/** What a row becomes, in tables of which the rows have names that give nobody anything. */
const renames: Readonly<Record<string, Rename>> = {
  metadata_fields: numbered('Field'),
  roles: async (row, columns, isFree) => ({ ...(await numbered('Role')(row, columns, isFree)), is_system: 0 }),
  tags: numbered('Tag'),
  user_groups: async (row, _, isFree) => {
    const named = (name: string) => ({ name: `Group ${name}`, name_key: userKey(`Group ${name}`) })
    return (await ownKey(row, 'name', isFree)) ?? { ...(await firstFree(row, isFree, named)), kind: 'listed' }
  },
  users: async (row, columns, isFree) => {
    if (columns.includes('email_key')) {
      const addressed = (name: string) => {
        const email = `user-${name}@damaged.invalid`
        return { email, email_key: userKey(email) }
      }
      return (await ownKey(row, 'email', isFree)) ?? firstFree(row, isFree, addressed)
    }
    const called = (name: string) => {
      const username = `user-${name}`
      return { username, username_key: userKey(username), username_skeleton: usernameSkeleton(username) }
    }
    return (await ownKey(row, 'username', isFree)) ?? firstFree(row, isFree, called)
  },
}

/** Whether the row gets other values. Of a table whose rows give access, all such rows take the safe side instead. */
export const isRenamed = (table: string, { isKept }: DoubledRow): boolean => !isKept && renames[table] !== undefined

/** Whether nobody can tell which row is right, and no repair is safe. */
export const isUntold = (table: string, { isKept }: DoubledRow): boolean =>
  !isKept && renames[table] === undefined && wholeSideOf(table) === undefined

/** Leaves one row with each value. Call it when each row of a table that gives access has taken the safe side. */
export async function separate(
  db: Database,
  { name, key: columns }: IndexedTable,
  doubled: readonly DoubledRow[],
  record: Recorder,
): Promise<void> {
  const at = columns.map((column, n) => `\`${column}\` = $${n + 1}`).join(' AND ')
  const isFree = async (column: string, value: Bind) =>
    (await db.row(`SELECT 1 AS found FROM \`${name}\` NOT INDEXED WHERE \`${column}\` = $1`, [value])) === undefined
  for (const { key, columns: same, isKept } of doubled.filter(one => !isUntold(name, one))) {
    const row = isKept ? undefined : await db.row<Row>(`SELECT * FROM \`${name}\` WHERE ${at}`, key)
    if (row === undefined) continue
    const set = await renames[name]?.(row, same, isFree)
    if (set === undefined) await db.change(`DELETE FROM \`${name}\` WHERE ${at}`, key)
    else {
      const values = Object.keys(set).map((column, n) => `\`${column}\` = $${key.length + n + 1}`)
      await db.change(`UPDATE \`${name}\` SET ${values.join(', ')} WHERE ${at}`, [...key, ...Object.values(set)])
      recordRepair(record, name, { ...row, ...set }, Object.keys(set))
    }
  }
}
