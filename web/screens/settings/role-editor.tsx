/** One role: its name, its description and its permissions. */
import { Button, TextInput } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import type { FieldErrors } from '../../../src/api/errors.ts'
import { maxDescriptionLength, maxRoleNameLength } from '../../../src/api/limits.ts'
import { adminRole, type Role } from '../../../src/api/roles.ts'
import { problemsOf } from '../../lib/server/problems.ts'
import { showToast } from '../../ui/toast.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { PermissionGroups } from './permission-groups.tsx'
import { addRole, draftOf, editRole, isChanged, type PermissionEntry, type RoleDraft } from './role-changes.ts'
import styles from './role-editor.module.css'
import { RoleFoot } from './role-foot.tsx'
import { useMayGive } from './roles-query.ts'

interface RoleEditorProps {
  /** Null for a new role. */
  role: Role | null
  permissions: readonly PermissionEntry[]
  onDirty: (isDirty: boolean) => void
  /** Goes back to the list, when the list is not beside the editor. */
  onBack?: () => void
  onSaved: (role: Role) => void
  /** Called after the role is deleted, or a new one is discarded. */
  onGone: () => void
}

/** Why a role, or a part of it, cannot be changed. */
function obstaclesOf(role: Role | null, mayGive: boolean) {
  if (!mayGive) return { all: 'This role has a permission that you lack, so you cannot change it.' }
  return {
    name: role?.is_system ? 'A system role keeps its name' : undefined,
    permissions: role?.name === adminRole ? `The role ${adminRole} keeps every permission.` : undefined,
  }
}

export function RoleEditor({ role, permissions, onDirty, onBack, onSaved, onGone }: RoleEditorProps) {
  const [base, setBase] = useState(role)
  const [draft, setDraft] = useState(() => draftOf(role))
  const begin = (from: Role | null) => {
    setBase(from)
    setDraft(draftOf(from))
  }
  const [problems, setProblems] = useState<FieldErrors>({})
  const [isBusy, setBusy] = useState(false)
  const obstacles = obstaclesOf(role, useMayGive()(role ?? { permissions: [] }))
  const size = usePhone() ? 'lg' : 'sm'
  const isLocked = obstacles.all !== undefined
  const isDirty = isChanged(draft, base)
  // The list may be older than what was saved here.
  const latest = role !== null && base !== null && role.updated_at > base.updated_at ? role : base
  // Without unsaved changes take over other people's changes. React recommends setting derived state during rendering.
  if (!isDirty && latest !== base) begin(latest)
  useEffect(() => {
    onDirty(isDirty)
    return () => onDirty(false)
  }, [isDirty, onDirty])

  const change = (part: Partial<RoleDraft>) => setDraft(before => ({ ...before, ...part }))

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblems({})
    try {
      const saved = await (base === null || latest === null
        ? addRole(draft, permissions)
        : editRole(draft, base, latest, permissions))
      begin(saved)
      onDirty(false)
      showToast({ tone: 'success', message: 'Role saved' })
      onSaved(saved)
    } catch (error) {
      setProblems(problemsOf(error, 'Failed to save role', ['name', 'description']))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className={styles.editor} aria-label={role?.name ?? 'New role'} noValidate onSubmit={e => void submit(e)}>
      <div className={styles.page}>
        {onBack && (
          <Button
            variant="subtle"
            size="lg"
            className={styles.back}
            leftSection={<IconArrowLeft size={20} stroke={1.75} aria-hidden />}
            onClick={onBack}
          >
            Roles
          </Button>
        )}
        {obstacles.all && <p className={styles.note}>{obstacles.all}</p>}
        <div className={styles.fields}>
          <TextInput
            label="Name"
            size={size}
            value={draft.name}
            error={problems.name}
            maxLength={maxRoleNameLength}
            disabled={isLocked || obstacles.name !== undefined}
            title={obstacles.name}
            aria-required
            autoFocus={role === null}
            dir="auto"
            onChange={({ currentTarget: { value } }) => change({ name: value })}
          />
          <TextInput
            label="Description"
            size={size}
            value={draft.description}
            error={problems.description}
            maxLength={maxDescriptionLength}
            disabled={isLocked}
            dir="auto"
            onChange={({ currentTarget: { value } }) => change({ description: value })}
          />
        </div>
        {obstacles.name && <p className={styles.hint}>{obstacles.name}.</p>}
        <PermissionGroups
          permissions={permissions}
          chosen={draft.permissions}
          lock={obstacles.permissions ?? (isLocked ? '' : undefined)}
          onChange={chosen => change({ permissions: chosen })}
        />
      </div>
      <RoleFoot
        role={role}
        draft={draft}
        isDirty={isDirty}
        isBusy={isBusy}
        isLocked={isLocked}
        problem={problems.form}
        onCancel={() => {
          setProblems({})
          begin(latest)
          onDirty(false)
          if (role === null) onGone()
        }}
        onGone={onGone}
      />
    </form>
  )
}
