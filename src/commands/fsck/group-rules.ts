/** The rules for groups, one of which stands for all users. */
import { maxGroupNameLength } from '../../api/limits.ts'
import type { Row } from '../../db/tables.ts'
import { userKey } from '../../db/user-key.ts'
import { derived, type Rule, type TableRules } from './column-rules.ts'
import { isLine, line, nearestLine } from './text-rules.ts'

export const everyone = 'everyone'

/** Whether a group stands for all users: if one of the columns that say so is damaged, the other two tell. */
export const isEveryone = ({ name, name_key, kind }: Row): boolean =>
  [userKey(String(name)), name_key, kind].filter(part => part === everyone).length > 1

/** A name for a group of some users: its own, or else as its key has it. */
export function ordinaryName({ id, name, name_key }: Row): string {
  const own = nearestLine(String(name), maxGroupNameLength)
  if (userKey(own) !== everyone) return own
  const key = String(name_key)
  const isName = isLine(key, maxGroupNameLength) && userKey(key) === key && key !== everyone
  return isName ? key : `Group ${id}`
}

const anyName = line('name', maxGroupNameLength)
const name: Rule = {
  detail: `${anyName.detail}, or only one of it and its kind is that of the group of all users`,
  fits: (value, row) => anyName.fits(value, row) && (userKey(String(value)) === everyone) === isEveryone(row),
  mend: row => {
    const mended = isEveryone(row) ? 'Everyone' : ordinaryName(row)
    return { name: mended, name_key: userKey(mended) }
  },
}

export const groupRules: TableRules = {
  columns: {
    id: 'told',
    name,
    name_key: derived('name_key', row => userKey(String(row.name))),
    kind: derived('kind', row => (isEveryone(row) ? everyone : 'listed')),
  },
}
