/** Formats groups, team folders, shares and links for people. Loaded only when there is something to print. */

import { timeCell } from '../../cli/key-cells.ts'
import { stateCell, usedCell } from '../../cli/link-cells.ts'
import type { Group, GroupDetails } from '../../src/api/groups.ts'
import type { Link } from '../../src/api/links.ts'
import type { Space } from '../../src/api/spaces.ts'
import type { ListedShare } from '../../src/commands/admin/shares.ts'
import { countOf, formatSize } from '../../terminal/format.ts'
import { formatRecord, formatTable } from '../../terminal/table.ts'

export const formatGroups = (groups: readonly Group[]): string =>
  formatTable(
    [
      { head: 'ID', align: 'right' },
      { head: 'KIND' },
      { head: 'MEMBERS', align: 'right' },
      { head: 'SHARES', align: 'right' },
      { head: 'NAME' },
    ],
    groups.map(group => [
      String(group.id),
      group.kind,
      String(group.member_count),
      String(group.share_count),
      group.name,
    ]),
  )

const membersOf = ({ kind, members }: GroupDetails): string => {
  if (kind === 'everyone') return 'all active users'
  return members.length === 0 ? 'none' : members.map(({ username }) => username).join(', ')
}

export const formatGroup = (group: GroupDetails): string =>
  formatRecord([
    ['Id', String(group.id)],
    ['Name', group.name],
    ['Shares', String(group.share_count)],
    ['Members', membersOf(group)],
  ])

const managersOf = ({ managers }: Space): string => managers.map(({ username }) => username).join(', ')

export const usageOf = ({ storage_used, storage_quota }: Space): string =>
  `${formatSize(storage_used)} of ${formatSize(storage_quota)}`

export const formatSpaces = (spaces: readonly Space[]): string =>
  formatTable(
    [
      { head: 'ID', align: 'right' },
      { head: 'MEMBERS', align: 'right' },
      { head: 'STORAGE', align: 'right' },
      { head: 'NAME' },
      { head: 'MANAGERS' },
    ],
    spaces.map(space => [String(space.id), String(space.member_count), usageOf(space), space.name, managersOf(space)]),
  )

export const formatSpace = (space: Space): string =>
  formatRecord([
    ['Id', String(space.id)],
    ['Name', space.name],
    ['Storage', usageOf(space)],
    ['Members', countOf(space.member_count, 'active user')],
    ['Managers', managersOf(space)],
    ['Links', space.editors_may_link ? 'by editors too' : 'by managers alone'],
  ])

/** `ann`, or `@Class 7b` for a group. */
export const granteeOf = ({ who }: ListedShare): string => (who.kind === 'group' ? `@${who.name}` : who.name)

export const itemOf = ({ item, item_id }: ListedShare): string => item ?? `in the trash (id:${item_id})`

export const formatShares = (shares: readonly ListedShare[]): string =>
  formatTable(
    [
      { head: 'ID', align: 'right' },
      { head: 'LEVEL' },
      { head: 'STATE' },
      { head: 'ENDS' },
      { head: 'WITH' },
      { head: 'ITEM' },
    ],
    shares.map(share => [
      String(share.id),
      share.level,
      share.reason ?? 'works',
      timeCell(share.expires_at),
      granteeOf(share),
      itemOf(share),
    ]),
  )

export const formatLinks = (links: readonly Link[]): string =>
  formatTable(
    [
      { head: 'ID', align: 'right' },
      { head: 'LEVEL' },
      { head: 'STATE' },
      { head: 'ENDS' },
      { head: 'MADE BY' },
      { head: 'USED' },
      { head: 'LABEL' },
    ],
    links.map(link => [
      String(link.id),
      link.level,
      stateCell(link),
      timeCell(link.expires_at),
      link.made_by?.username ?? '-',
      usedCell(link),
      link.label ?? '-',
    ]),
  )

export const tellSwitched = (link: Link): string =>
  link.is_active ? `The link ${link.id} is resumed: ${stateCell(link)}` : `The link ${link.id} is paused`

export const tellRevoked = ({ id }: Link): string => `The link ${id} is revoked`
