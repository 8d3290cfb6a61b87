/** The list of team folders, with what an administrator sees of them. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { Space } from '../../../src/api/spaces.ts'
import { memberCount } from '../../items/counts.ts'
import { formatDay, formatFullDate } from '../../lib/words/format-date.ts'
import { type Column, DataTable } from './data-table.tsx'
import { RowActions } from './row-actions.tsx'
import { StorageBar } from './storage-bar.tsx'
import styles from './user-table.module.css'

interface TeamTableProps {
  teams: readonly Space[]
  onEdit: (team: Space) => void
  onDelete: (team: Space) => void
}

const managersOf = ({ managers }: Space): string =>
  managers.length === 0 ? 'No managers of their own' : managers.map(({ username }) => username).join(', ')

export function TeamTable({ teams, onEdit, onDelete }: TeamTableProps) {
  const name = (team: Space) => (
    <span className={styles.name} title={team.name}>
      <span className={styles.text} dir="auto">
        {team.name}
      </span>
    </span>
  )
  const actions = (team: Space) => (
    <RowActions
      name={team.name}
      actions={[
        { label: 'Edit', icon: IconPencil, run: () => onEdit(team) },
        { label: 'Delete', icon: IconTrash, tone: 'danger', run: () => onDelete(team) },
      ]}
    />
  )
  const columns: Column<Space>[] = [
    { head: 'Team folder', width: 'minmax(0, 5fr)', cell: name },
    {
      head: 'Managers',
      width: 'minmax(0, 4fr)',
      cell: team => <span title={managersOf(team)}>{managersOf(team)}</span>,
    },
    { head: 'Members', width: '92px', cell: ({ member_count }) => memberCount(member_count) },
    { head: 'Storage', width: '208px', cell: team => <StorageBar of={team} /> },
    {
      head: 'Created',
      width: '92px',
      isWide: true,
      cell: ({ created_at }) => <span title={formatFullDate(created_at)}>{formatDay(created_at)}</span>,
    },
    { head: 'Actions', width: '60px', isBare: true, cell: actions },
  ]
  return (
    <DataTable
      label="Team folders"
      columns={columns}
      rows={teams}
      keyOf={({ id }) => id}
      labelOf={team => team.name}
      phoneRowHeight={112}
      phoneRow={team => (
        <div className={styles.box}>
          <div className={styles.words}>
            <div className={styles.first}>{name(team)}</div>
            <p className={styles.meta}>Managed by {managersOf(team)}</p>
            <StorageBar of={team} />
            <p className={styles.meta}>
              {memberCount(team.member_count)} · Created {formatDay(team.created_at)}
            </p>
          </div>
          {actions(team)}
        </div>
      )}
    />
  )
}
