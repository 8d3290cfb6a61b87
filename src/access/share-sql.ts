/** The parts of statements that say what is shared with a user, and since when. */
import type { Database } from '../db/database.ts'
import { joinInOrder } from '../db/join-in-order.ts'

const isOn = (setting: string): string =>
  `EXISTS (SELECT 1 FROM settings WHERE \`key\` = '${setting}' AND value = 'true')`

/** Rows `m` of members that count: the group of all users has none, so a row of it is damage and gives nothing. */
export const listedMembers =
  "group_members m JOIN user_groups listed ON listed.id = m.group_id AND listed.kind = 'listed'"

/** Who has an account is in the group of all users, since they have it. */
const accountTime = (user: string): string =>
  `(SELECT account.created_at FROM users account WHERE account.id = ${user})`

/** The ids of the groups that a user is in, and with `timed` since when, as `joined_at`. */
function groupsOf(user: string, form?: 'timed'): string {
  const [listed, everyone] = form === 'timed' ? [', m.created_at AS joined_at', `, ${accountTime(user)}`] : ['', '']
  return `SELECT m.group_id${listed} FROM ${listedMembers} WHERE m.user_id = ${user}
      UNION ALL SELECT id${everyone} FROM user_groups WHERE kind = 'everyone' AND ${isOn('sharing_everyone')}`
}

/** A condition on a share in a space `sp`: no switch is against it. */
const isAllowed = `(sp.kind = 'team' OR ${isOn('sharing_people')})`

/** A condition on a share `s` in a space `sp`: it is for the user with the given bind, and no switch is against it. */
export const isForUser = (user: string): string =>
  `(s.user_id = ${user} OR s.group_id IN (${groupsOf(user)})) AND ${isAllowed}`

/** Since when (ms) a user is in the group of a share `s` that is for them; 0 for a share with themselves. */
export const joinedAt = (user: string): string =>
  `CASE WHEN s.group_id IS NULL THEN 0 ELSE COALESCE(
    (SELECT m.created_at FROM ${listedMembers} WHERE m.user_id = ${user} AND m.group_id = s.group_id),
    ${accountTime(user)}) END`

/** Since when (ms) a share gives access: it gives none to a member of a group before they joined. */
export const beganAt = ({ created_at, joined_at }: { created_at: number; joined_at: number }): number =>
  Math.max(created_at, joined_at)

/**
 * The start of a statement on the newest shares `s` for a user, at most `most`, with their items `f` and spaces `sp`,
 * and its condition; `given.joined_at` is as `joinedAt`. It reads the shares first, by the indexes of users and groups:
 * with `isForUser`, MariaDB may begin with all items of all spaces, or read everybody's shares.
 */
export function sharesOf(
  { dialect }: Pick<Database, 'dialect'>,
  user: string,
  most: number,
): { from: string; condition: string } {
  const join = joinInOrder[dialect]
  return {
    from: `(SELECT u.id, 0 AS joined_at FROM shares u WHERE u.user_id = ${user}
        UNION ALL SELECT g.id, mine.joined_at
          FROM (${groupsOf(user, 'timed')}) mine ${join} shares g ON g.group_id = mine.group_id
        ORDER BY id DESC LIMIT ${most}) given
      ${join} shares s ON s.id = given.id ${join} files f ON f.id = s.item_id ${join} spaces sp ON sp.id = f.space_id`,
    condition: isAllowed,
  }
}
