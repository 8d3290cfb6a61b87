/** The list of groups, that of all users first. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { Group } from '../../../src/api/groups.ts'
import { memberCount, shareCount } from '../../items/counts.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from './data-table.tsx'
import styles from './field-table.module.css'
import { RowActions } from './row-actions.tsx'

interface GroupTableProps {
  groups: readonly Group[]
  onEdit: (group: Group) => void
  onDelete: (group: Group) => void
}

const everyoneMeans = 'All active users. Sharing with it is turned on and off under System'

export function GroupTable({ groups, onEdit, onDelete }: GroupTableProps) {
  const actions = (group: Group) =>
    group.kind === 'listed' && (
      <RowActions
        name={group.name}
        actions={[
          { label: 'Edit', icon: IconPencil, run: () => onEdit(group) },
          { label: 'Delete', icon: IconTrash, tone: 'danger', run: () => onDelete(group) },
        ]}
      />
    )
  const columns: Column<Group>[] = [
    {
      head: 'Group',
      width: 'minmax(0, 1fr)',
      cell: ({ name, kind }) => (
        <span className={styles.label} title={kind === 'everyone' ? everyoneMeans : name}>
          <span className={styles.text} dir="auto">
            {name}
          </span>
          {kind === 'everyone' && (
            <>
              <Badge>Built-in</Badge>
              <span className={styles.description}>{everyoneMeans}</span>
            </>
          )}
        </span>
      ),
    },
    { head: 'Members', width: '108px', cell: ({ member_count }) => memberCount(member_count) },
    { head: 'Shares', width: '108px', cell: group => (group.share_count === 0 ? '—' : shareCount(group.share_count)) },
    { head: 'Actions', width: '60px', isBare: true, cell: actions },
  ]
  return (
    <DataTable
      label="Groups"
      columns={columns}
      rows={groups}
      keyOf={({ id }) => id}
      labelOf={({ name }) => name}
      phoneRowHeight={64}
      phoneRow={group => (
        <div className={styles.box}>
          <div className={styles.words}>
            <div className={styles.phoneLabel} dir="auto">
              {group.name}
            </div>
            <div className={styles.meta}>
              {group.kind === 'everyone' && <Badge>Built-in</Badge>}
              <span>
                {memberCount(group.member_count)} · {shareCount(group.share_count)}
              </span>
            </div>
          </div>
          {actions(group)}
        </div>
      )}
    />
  )
}
