/** Table cells for shares. */
import type { AccessEntry, ReceivedShare, Share } from '../src/api/shares.ts'
import { formatTime } from '../terminal/format.ts'
import { formatTable } from '../terminal/table.ts'
import { granteeName } from './grantee.ts'
import { pathCell } from './item-cells.ts'
import { timeCell } from './key-cells.ts'

const idColumn = { head: 'ID', align: 'right' } as const
const columnsOf = (...heads: string[]) => [idColumn, ...heads.map(head => ({ head }))]

/** Formats what the user shares with others. */
export const formatShares = (shares: readonly Share[]): string =>
  formatTable(
    columnsOf('LEVEL', 'UNTIL', 'WITH', 'PATH'),
    shares.map(({ id, level, expires_at, who, item }) => [
      String(id),
      level,
      timeCell(expires_at),
      granteeName(who),
      pathCell(item),
    ]),
  )

/** Who has access: a user, a group, the owner, or whoever has a link. */
function whoCell(who: AccessEntry['who']): string {
  if (who.kind === 'owner') return `${who.name} (owner)`
  if (who.kind !== 'link') return granteeName(who)
  return who.name === '' ? 'link' : `link '${who.name}'`
}

/** Formats who has access to an item, and through which folder. */
export const formatAccess = (access: readonly AccessEntry[]): string =>
  formatTable(
    columnsOf('LEVEL', 'UNTIL', 'STATE', 'WHO', 'THROUGH'),
    access.map(({ share_id, link_id, level, expires_at, reason, who, because }) => [
      String(share_id ?? link_id ?? '-'),
      level,
      timeCell(expires_at),
      reason?.replace('_', ' ') ?? 'works',
      whoCell(who),
      because.name,
    ]),
  )

/** Formats access that has ended. */
export const formatEnded = (access: readonly AccessEntry[]): string =>
  formatTable(
    columnsOf('STATE', 'WHO'),
    access.map(({ share_id, who }) => [String(share_id ?? '-'), 'ended', whoCell(who)]),
  )

/** Formats what others share with the user. */
export const formatReceived = (shares: readonly ReceivedShare[]): string =>
  formatTable(
    columnsOf('LEVEL', 'FROM', 'SINCE', 'UNTIL', 'PLACE'),
    shares.map(({ id, level, from, created_at, expires_at, item, is_new: isNew }) => [
      String(id),
      level,
      from.name,
      formatTime(created_at),
      timeCell(expires_at),
      `@${item.name}${item.is_directory ? '/' : ''}${isNew ? ' (new)' : ''}`,
    ]),
  )
