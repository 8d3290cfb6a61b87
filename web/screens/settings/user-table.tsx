/** The list of users. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { adminRole } from '../../../src/api/roles.ts'
import type { User } from '../../../src/api/users.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { formatDay, formatFullDate } from '../../lib/words/format-date.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { rolesQuery, useMayGive } from './roles-query.ts'
import { RowActions } from './row-actions.tsx'
import { StorageBar } from './storage-bar.tsx'
import styles from './user-table.module.css'

interface UserTableProps {
  users: readonly User[]
  onEdit: (user: User) => void
  onDelete: (user: User) => void
  onNearEnd: () => void
  hasMore: boolean
}

const roleBadge = (user: User) => (
  <span className={styles.role} title={user.role}>
    <Badge tone={user.role === adminRole ? 'accent' : 'grey'}>{user.role.toUpperCase()}</Badge>
  </span>
)
const statusBadge = (user: User) =>
  user.is_active ? <Badge tone="success">Active</Badge> : <Badge tone="danger">Inactive</Badge>

/** Why a user cannot be edited or deleted; undefined when it is possible. */
function useObstacles(): (user: User) => { edit?: string; remove?: string } {
  const ownId = useAuth(({ user }) => user?.id)
  const { data: roles } = useQuery(rolesQuery)
  const mayGive = useMayGive()
  return user => {
    if (user.id === ownId) return { remove: 'You cannot delete your own account' }
    const role = roles?.find(({ name }) => name === user.role)
    if (role === undefined || mayGive(role)) return {}
    const reason = 'This user has a permission that you lack'
    return { edit: reason, remove: reason }
  }
}

export function UserTable({ users, onEdit, onDelete, onNearEnd, hasMore }: UserTableProps) {
  const ownId = useAuth(({ user }) => user?.id)
  const obstaclesOf = useObstacles()
  const name = (user: User) => (
    <span className={styles.name} title={user.username}>
      <span className={styles.text} dir="auto">
        {user.username}
      </span>
      {user.id === ownId && <span className={styles.own}>(you)</span>}
    </span>
  )
  const actions = (user: User) => {
    const { edit, remove } = obstaclesOf(user)
    return (
      <RowActions
        name={user.username}
        actions={[
          { label: 'Edit', icon: IconPencil, reason: edit, run: () => onEdit(user) },
          { label: 'Delete', icon: IconTrash, tone: 'danger', reason: remove, run: () => onDelete(user) },
        ]}
      />
    )
  }
  const columns: Column<User>[] = [
    { head: 'Username', width: 'minmax(0, 4fr)', cell: name },
    {
      head: 'Full name',
      width: 'minmax(0, 4fr)',
      isWide: true,
      cell: ({ full_name }) => (
        <span title={full_name ?? undefined} dir="auto">
          {full_name || '—'}
        </span>
      ),
    },
    { head: 'Email', width: 'minmax(0, 5fr)', cell: ({ email }) => <span title={email}>{email}</span> },
    { head: 'Role', width: '108px', cell: roleBadge },
    { head: 'Storage', width: '208px', cell: user => <StorageBar of={user} /> },
    { head: 'Status', width: '64px', cell: statusBadge },
    {
      head: 'Member since',
      width: '92px',
      isWide: true,
      cell: ({ created_at }) => <span title={formatFullDate(created_at)}>{formatDay(created_at)}</span>,
    },
    { head: 'Actions', width: '60px', isBare: true, cell: actions },
  ]
  return (
    <DataTable
      label="Users"
      columns={columns}
      rows={users}
      keyOf={({ id }) => id}
      labelOf={({ username }) => username}
      isFaint={({ is_active }) => !is_active}
      onNearEnd={onNearEnd}
      hasMore={hasMore}
      phoneRowHeight={112}
      phoneRow={user => (
        <div className={styles.box}>
          <div className={styles.words}>
            <div className={styles.first}>
              {name(user)}
              {roleBadge(user)}
              {!user.is_active && statusBadge(user)}
            </div>
            <p className={styles.meta}>{user.full_name ? `${user.full_name} · ${user.email}` : user.email}</p>
            <StorageBar of={user} />
            <p className={styles.meta}>
              {user.is_active && 'Active · '}Member since {formatDay(user.created_at)}
            </p>
          </div>
          {actions(user)}
        </div>
      )}
    />
  )
}
