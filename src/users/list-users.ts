/** Lists users, sorted by name. */
import type { ParsedInputOf } from '../api/endpoint.ts'
import { wholeListSize } from '../api/limits.ts'
import type { listUsers as endpoint, User } from '../api/users.ts'
import { decodeCursor, encodeCursor, lastShown } from '../db/cursor.ts'
import type { Database } from '../db/database.ts'
import { countUsers, findUsers } from './find.ts'
import { presentUser } from './present.ts'

const cursorList = { name: 'users', form: ['string'] } as const

interface UserList {
  users: User[]
  total: number
  next_cursor: string | null
}

/** A page of the users. Throws `invalid_input` for a cursor of another list. */
export async function listUsers(db: Database, input: ParsedInputOf<typeof endpoint>): Promise<UserList> {
  const count = input.limit ?? wholeListSize
  const after = input.cursor === undefined ? '' : String(decodeCursor(input.cursor, [cursorList]).after[0])
  const rows = await findUsers(db, after, count + 1)
  const page = rows.slice(0, count)
  const last = lastShown(rows, page.length)
  return {
    users: page.map(presentUser),
    total: await countUsers(db),
    next_cursor: last === null ? null : encodeCursor(cursorList.name, [last.username_key]),
  }
}
