/** The rows of the audit log. */
import { UnstyledButton } from '@mantine/core'
import type { ChangeEvent } from '../../../src/api/events.ts'
import { actorName } from '../../lib/words/actor-name.ts'
import { formatDate, formatFullDate } from '../../lib/words/format-date.ts'
import styles from './audit-table.module.css'
import { AuditWords } from './audit-words.tsx'
import { type Column, DataTable } from './data-table.tsx'

interface AuditTableProps {
  events: readonly ChangeEvent[]
  onOpen: (event: ChangeEvent) => void
  onNearEnd: () => void
  hasMore: boolean
}

const when = ({ at }: ChangeEvent) => (
  <time dateTime={at} title={formatFullDate(at)}>
    {formatDate(at)}
  </time>
)

export function AuditTable({ events, onOpen, onNearEnd, hasMore }: AuditTableProps) {
  const what = (event: ChangeEvent) => (
    <UnstyledButton className={styles.what} onClick={() => onOpen(event)}>
      <AuditWords event={event} />
    </UnstyledButton>
  )
  const columns: Column<ChangeEvent>[] = [
    { head: 'When', width: '108px', cell: when, printed: ({ at }) => formatFullDate(at) },
    {
      head: 'Who',
      width: 'minmax(0, 2fr)',
      cell: event => (
        <bdi className={styles.who} title={actorName(event)}>
          {actorName(event)}
        </bdi>
      ),
    },
    { head: 'What', width: 'minmax(0, 7fr)', cell: what },
    {
      head: 'From',
      width: '148px',
      isWide: true,
      cell: ({ address, key_id }) => `${address ?? '—'}${key_id === null ? '' : ' · API key'}`,
    },
  ]
  return (
    <DataTable
      label="Audit log"
      columns={columns}
      rows={events}
      keyOf={({ id }) => id}
      labelOf={event => `${actorName(event)}, ${formatFullDate(event.at)}`}
      onNearEnd={onNearEnd}
      hasMore={hasMore}
      phoneRowHeight={64}
      lowRowHeight={44}
      phoneRow={event => (
        <>
          {what(event)}
          <p className={styles.meta}>
            <bdi className={styles.actor}>{actorName(event)}</bdi>
            <span>&nbsp;· {when(event)}</span>
          </p>
        </>
      )}
    />
  )
}
