/** The list of all links, with what an administrator sees of them. */
import { IconUnlink } from '@tabler/icons-react'
import { linkUse } from '../../../src/api/link-words.ts'
import type { Link } from '../../../src/api/links.ts'
import { levelNames } from '../../../src/api/share-words.ts'
import { StateBadge, stateOfLink } from '../../items/sharing/links/link-badge.tsx'
import { formatDay, formatFullDate } from '../../lib/words/format-date.ts'
import { type Column, DataTable } from './data-table.tsx'
import { RowActions } from './row-actions.tsx'
import styles from './user-table.module.css'

interface LinkTableProps {
  links: readonly Link[]
  onEnd: (link: Link) => void
  onNearEnd: () => void
  hasMore: boolean
}

const makerOf = ({ made_by }: Link): string => made_by?.username ?? 'a user who is gone'

/** `Link 12 of anna: Customers`. */
const nameOf = (link: Link): string =>
  `Link ${link.id} of ${makerOf(link)}${link.label === null ? '' : `: ${link.label}`}`

const usedFor = (link: Link): string => linkUse(link) ?? 'not used yet'

export function LinkTable({ links, onEnd, onNearEnd, hasMore }: LinkTableProps) {
  const label = (link: Link) => (
    <span className={styles.name} title={link.label ?? undefined}>
      <span className={styles.text} dir="auto">
        {link.label ?? 'No label'}
      </span>
    </span>
  )
  const actions = (link: Link) => (
    <RowActions
      name={nameOf(link)}
      actions={[{ label: 'End', icon: IconUnlink, tone: 'danger', run: () => onEnd(link) }]}
    />
  )
  const columns: Column<Link>[] = [
    { head: 'Label', width: 'minmax(0, 4fr)', cell: label, printed: link => link.label ?? '' },
    { head: 'Made by', width: 'minmax(0, 3fr)', cell: link => <span title={makerOf(link)}>{makerOf(link)}</span> },
    { head: 'Access', width: '120px', cell: ({ level }) => levelNames[level] },
    { head: 'Used', width: 'minmax(0, 4fr)', cell: link => <span title={usedFor(link)}>{usedFor(link)}</span> },
    {
      head: 'Created',
      width: '92px',
      isWide: true,
      cell: ({ created_at }) => <span title={formatFullDate(created_at)}>{formatDay(created_at)}</span>,
    },
    { head: 'State', width: '128px', cell: link => <StateBadge link={link} />, printed: stateOfLink },
    { head: 'Actions', width: '36px', isBare: true, cell: actions },
  ]
  return (
    <DataTable
      label="Links"
      columns={columns}
      rows={links}
      keyOf={({ id }) => id}
      labelOf={nameOf}
      isFaint={({ works }) => !works}
      phoneRowHeight={88}
      onNearEnd={onNearEnd}
      hasMore={hasMore}
      phoneRow={link => (
        <div className={styles.box}>
          <div className={styles.words}>
            <div className={styles.first}>{label(link)}</div>
            <p className={styles.meta}>
              {makerOf(link)} · {levelNames[link.level]} · <StateBadge link={link} />
            </p>
            <p className={styles.meta}>{usedFor(link)}</p>
          </div>
          {actions(link)}
        </div>
      )}
    />
  )
}
