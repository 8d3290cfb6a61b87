/** The form that creates or edits a user. */
import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { FieldErrors } from '../../../src/api/errors.ts'
import { defaultStorageQuota } from '../../../src/api/limits.ts'
import { adminRole, type Role } from '../../../src/api/roles.ts'
import type { User } from '../../../src/api/users.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { toGigabytes } from '../../lib/words/gigabytes.ts'
import { showToast } from '../../ui/toast.tsx'
import { Toggle } from '../../ui/toggle.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { DialogForm } from './dialog-form.tsx'
import { quotaErrors } from './quota.ts'
import { rolesQuery, useMayGive } from './roles-query.ts'
import { addUser, editUser, type UserDraft } from './user-changes.ts'
import styles from './user-form.module.css'

/** The roles when the server's list cannot be loaded: the two that every server has. */
const fallbackRoles: readonly Pick<Role, 'name' | 'permissions'>[] = [adminRole, 'user'].map(name => ({
  name,
  permissions: [],
}))

/** The roles to choose from, always including the user's own. */
function useRoles(user: User | null): typeof fallbackRoles {
  const { data = fallbackRoles } = useQuery(rolesQuery)
  if (user === null || data.some(({ name }) => name === user.role)) return data
  return [...data, { name: user.role, permissions: [] }]
}

const draftOf = (user: User | null): UserDraft => ({
  username: user?.username ?? '',
  email: user?.email ?? '',
  fullName: user?.full_name ?? '',
  password: '',
  role: user?.role ?? 'user',
  quota: toGigabytes(user?.storage_quota ?? defaultStorageQuota),
  isActive: user?.is_active ?? true,
})

/** What the signed-in user cannot change about a user, and why. */
function useObstacles(user: User | null, roles: typeof fallbackRoles) {
  const ownId = useAuth(state => state.user?.id)
  const mayGive = useMayGive()
  if (user === null) return {}
  if (user.id === ownId) {
    return {
      password: 'Change your own password in your account',
      role: 'You cannot change your own role',
      active: 'You cannot disable your own account',
    }
  }
  const role = roles.find(({ name }) => name === user.role)
  const reason = role === undefined || mayGive(role) ? undefined : 'This user has a permission that you lack'
  return { password: reason, role: reason, active: reason }
}

interface UserFormProps {
  /** Null for a new user. */
  user: User | null
  onClose: () => void
  /** Called after creating a user whose password the server has generated. */
  onTempPassword: (username: string, password: string) => void
}

export function UserForm({ user, onClose, onTempPassword }: UserFormProps) {
  const [draft, setDraft] = useState(() => draftOf(user))
  const roles = useRoles(user)
  const mayGive = useMayGive()
  const obstacles = useObstacles(user, roles)
  const size = usePhone() ? 'lg' : 'sm'
  const isNew = user === null

  const bind = (name: Exclude<keyof UserDraft, 'isActive'>) => ({
    size,
    value: draft[name],
    onChange: ({ currentTarget: { value } }: FormEvent<HTMLInputElement | HTMLSelectElement>) =>
      setDraft(before => ({ ...before, [name]: value })),
  })

  const check = (): FieldErrors => {
    return {
      ...(isNew && draft.username.trim() === '' ? { username: 'Username is required' } : {}),
      ...(isNew && draft.email.trim() === '' ? { email: 'Email is required' } : {}),
      ...quotaErrors(user, draft.quota),
    }
  }

  const save = async () => {
    const password = user === null ? await addUser(draft) : undefined
    const unmanaged = user === null ? [] : await editUser(user, draft)
    // The dialog with the generated password already reports the success.
    if (password !== undefined) onTempPassword(draft.username.trim(), password)
    else showToast({ tone: 'success', message: isNew ? 'User created' : 'User saved' })
    if (unmanaged.length > 0) {
      const message = `Nobody who is active manages ${unmanaged.join(', ')} now. Choose managers in Team Folders.`
      showToast({ tone: 'notice', message, stays: true })
    }
    onClose()
  }

  return (
    <DialogForm
      submit={[isNew ? 'Create User' : 'Save', 'Saving...']}
      failure={isNew ? 'Failed to create user' : 'Failed to update user'}
      names={['username', 'email', 'full_name', 'password', 'role', 'storage_quota']}
      check={check}
      onCancel={onClose}
      onSubmit={save}
    >
      {problems => (
        <>
          {isNew && (
            <TextInput
              {...bind('username')}
              label="Username"
              error={problems.username}
              aria-required
              data-autofocus
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
          <TextInput
            {...bind('email')}
            label="Email"
            type="email"
            error={problems.email}
            aria-required={isNew}
            data-autofocus={!isNew || undefined}
            autoComplete="off"
          />
          <TextInput
            {...bind('fullName')}
            label="Full name"
            error={problems.full_name}
            placeholder="Optional"
            autoComplete="off"
            dir="auto"
          />
          <PasswordInput
            {...bind('password')}
            label={isNew ? 'Password' : 'New password'}
            description={
              obstacles.password ??
              (isNew
                ? 'Left blank, a temporary one is made and shown once'
                : 'Left blank, the current one stays. A new one ends all sessions and API keys of this user')
            }
            error={problems.password}
            disabled={obstacles.password !== undefined}
            autoComplete="new-password"
          />
          <NativeSelect
            {...bind('role')}
            label="Role"
            description={obstacles.role}
            error={problems.role}
            disabled={obstacles.role !== undefined}
            data={roles.map(role => ({
              value: role.name,
              label: mayGive(role) ? role.name : `${role.name} (has a permission that you lack)`,
              disabled: !mayGive(role),
            }))}
          />
          <TextInput
            {...bind('quota')}
            label="Storage quota (GB)"
            type="number"
            min={1}
            step={0.1}
            error={problems.storage_quota}
          />
          {!isNew && (
            <div className={styles.active}>
              <div>
                <p className={styles.label}>Active</p>
                <p id="user-active" className={styles.hint}>
                  {obstacles.active ?? 'An inactive user cannot sign in'}
                </p>
              </div>
              <Toggle
                label="Active"
                describedBy="user-active"
                checked={draft.isActive}
                disabled={obstacles.active !== undefined}
                onChange={isActive => setDraft(before => ({ ...before, isActive }))}
              />
            </div>
          )}
        </>
      )}
    </DialogForm>
  )
}
