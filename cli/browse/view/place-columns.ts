/** The cells of team folders and shares: head, width and text. The name's column takes the rest. */
import { levelNames, memberWords } from '../../../src/api/share-words.ts'
import type { Space } from '../../../src/api/spaces.ts'
import { formatDay, formatSize } from '../../../terminal/format.ts'
import { visible } from '../../../terminal/visible.ts'
import type { Entry, ShareFacts } from '../listing.ts'
import type { Place } from '../place.ts'
import { gap, markColumns } from './columns.ts'

export interface CellColumn {
  head: string
  width: number
  align?: 'right'
  text: (entry: Entry) => string
}

/** From these widths on there is room for the days of a share, and the managers of a team. */
const dayColumns = 70
const wideColumns = 100

const usedOf = ({ storage_used, storage_quota }: Space): string =>
  `${formatSize(storage_used)} of ${formatSize(storage_quota)}`

const teamColumns = (width: number): CellColumn[] => [
  { head: 'Access', width: 11, text: ({ team }) => (team?.level ? memberWords[team.level] : '') },
  { head: 'Members', width: 7, align: 'right', text: ({ team }) => String(team?.member_count ?? '') },
  { head: 'Used', width: 22, align: 'right', text: ({ team }) => (team === undefined ? '' : usedOf(team)) },
  ...(width >= wideColumns ? [managersColumn] : []),
]

const managersColumn: CellColumn = {
  head: 'Managers',
  width: 24,
  text: ({ team }) =>
    visible((team?.managers ?? []).map(({ full_name, username }) => full_name ?? username).join(', ')),
}

/** `anna`, `anna to Class 3`, `Class 3 (group)`. */
function whoOf({ who, group }: ShareFacts): string {
  const kind = who.kind === 'user' ? '' : ` (${who.kind})`
  return visible(group === null ? `${who.name}${kind}` : `${who.name} to ${group}`)
}

const isOver = (end: string): boolean => Date.parse(end) <= Date.now()

function endOf({ expires_at }: ShareFacts): string {
  if (expires_at === null) return ''
  return isOver(expires_at) ? 'Expired' : formatDay(expires_at)
}

const shareColumns = (head: 'From' | 'With', width: number): CellColumn[] => {
  const of =
    (text: (share: ShareFacts) => string) =>
    ({ share }: Entry) =>
      share === undefined ? '' : text(share)
  const days = [
    { head: 'Since', width: 10, text: of(share => formatDay(share.created_at)) },
    { head: 'Until', width: 10, text: of(endOf) },
  ]
  return [
    { head, width: Math.max(12, Math.floor(width / 4)), text: of(whoOf) },
    { head: 'Access', width: 11, text: of(({ level }) => levelNames[level]) },
    ...(width >= wideColumns ? days : width >= dayColumns ? days.slice(1) : []),
  ]
}

/** Returns the columns after the name; undefined for a list of files. */
export function cellColumnsOf({ source }: Place, width: number): CellColumn[] | undefined {
  if (source.kind === 'teams') return teamColumns(width)
  if (source.kind === 'received') return shareColumns('From', width)
  if (source.kind === 'given') return shareColumns('With', width)
  return undefined
}

/** The width that is left for the name. */
export const nameWidthOf = (columns: readonly CellColumn[], width: number): number =>
  Math.max(
    8,
    columns.reduce((left, column) => left - column.width - gap, width - markColumns - 1),
  )
