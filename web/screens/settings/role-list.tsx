/** The list of roles, with a button for a new one. */
import { Button, UnstyledButton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Role } from '../../../src/api/roles.ts'
import { Badge } from '../../ui/badge.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './role-list.module.css'

interface RoleListProps {
  roles: readonly Role[]
  currentId: number | undefined
  onChoose: (id: number) => void
  onNew: () => void
}

const countOf = ({ permissions }: Role) =>
  permissions.length === 1 ? '1 permission' : `${permissions.length} permissions`

export function RoleList({ roles, currentId, onChoose, onNew }: RoleListProps) {
  return (
    <nav className={styles.side} aria-label="Roles">
      <ul className={styles.list}>
        {roles.map(role => (
          <li key={role.id}>
            <UnstyledButton
              className={styles.role}
              aria-current={role.id === currentId || undefined}
              onClick={() => onChoose(role.id)}
            >
              <span className={styles.name}>
                <span className={styles.text} title={role.name} dir="auto">
                  {role.name}
                </span>
                {role.is_system && <Badge>System</Badge>}
              </span>
              <span className={styles.meta} title={role.description ?? undefined}>
                {role.description && <span className={styles.description}>{role.description}</span>}
                {role.description && <span aria-hidden> · </span>}
                {countOf(role)}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        <Button
          variant="default"
          size={usePhone() ? 'lg' : 'sm'}
          fullWidth
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={onNew}
        >
          New role
        </Button>
      </div>
    </nav>
  )
}
