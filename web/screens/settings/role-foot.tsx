/** The foot of a role: delete, cancel and save. */
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { Role } from '../../../src/api/roles.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { type RoleDraft, removeRole } from './role-changes.ts'
import styles from './role-foot.module.css'

interface RoleFootProps {
  /** Null for a new role. */
  role: Role | null
  draft: RoleDraft
  isDirty: boolean
  isBusy: boolean
  isLocked: boolean
  /** Why saving failed. */
  problem: string | undefined
  onCancel: () => void
  onGone: () => void
}

/** What is missing before a role can be saved. */
function missingIn({ name, permissions }: RoleDraft): string | undefined {
  if (name.trim() === '') return 'Give the role a name'
  return permissions.size === 0 ? 'Select at least one permission' : undefined
}

/** The server's message and, for a role in use, what to do about it. */
function whyNotDeleted(error: unknown): string {
  const message = messageOf(error, 'Failed to delete role')
  const isInUse = error instanceof ApiError && error.code === 'in_use'
  return isInUse ? `${message}. Give its users another role first.` : message
}

export function RoleFoot({ role, draft, isDirty, isBusy, isLocked, problem, onCancel, onGone }: RoleFootProps) {
  const [isDeleting, setDeleting] = useState(false)
  const size = usePhone() ? 'lg' : 'sm'
  const missing = missingIn(draft)
  const state = isDirty || role === null ? (missing ?? (isDirty ? 'Unsaved changes' : '')) : ''
  return (
    <>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.foot}>
        {role !== null && <DeleteButton role={role} isLocked={isLocked} onClick={() => setDeleting(true)} />}
        <span className={styles.state} role="status">
          {state}
        </span>
        <div className={styles.actions}>
          {(isDirty || role === null) && (
            <Button variant="default" size={size} onClick={onCancel}>
              Cancel
            </Button>
          )}
          {!isLocked && (
            <Button type="submit" size={size} disabled={isBusy || missing !== undefined} title={missing}>
              {isBusy ? 'Saving...' : 'Save role'}
            </Button>
          )}
        </div>
      </div>
      {role !== null && (
        <ConfirmDialog
          opened={isDeleting}
          onClose={() => setDeleting(false)}
          title="Delete role?"
          confirm="Delete"
          failed={whyNotDeleted}
          onConfirm={async () => {
            await removeRole(role)
            onGone()
          }}
        >
          The role <strong>{role.name}</strong> will be deleted. This action cannot be undone.
        </ConfirmDialog>
      )}
    </>
  )
}

function DeleteButton({ role, isLocked, onClick }: { role: Role; isLocked: boolean; onClick: () => void }) {
  const size = usePhone() ? 'lg' : 'sm'
  if (role.is_system) return <span className={styles.reason}>A system role cannot be deleted</span>
  if (isLocked) return null
  return (
    <Button
      variant="subtle"
      size={size}
      data-tone="danger"
      className={styles.delete}
      leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
      onClick={onClick}
    >
      Delete role
    </Button>
  )
}
