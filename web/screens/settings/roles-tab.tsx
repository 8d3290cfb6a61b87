/** The roles: a list, and beside it (on a phone in its place) the editor. */
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { LoadProblem } from './load-problem.tsx'
import { RoleEditor } from './role-editor.tsx'
import { RoleList } from './role-list.tsx'
import { permissionsQuery, rolesQuery } from './roles-query.ts'
import styles from './roles-tab.module.css'

/** A role's id, or a new role; null is the first role on the desktop, and none on a phone. */
type Chosen = number | 'new' | null

export function RolesTab() {
  const roles = useQuery(rolesQuery)
  const permissions = useQuery(permissionsQuery)
  const isWaiting = useDelayed(roles.isPending || permissions.isPending, 150)
  const isPhone = usePhone()
  const [chosen, setChosen] = useState<Chosen>(null)
  const [isDirty, setDirty] = useState(false)
  const guard = useGuard(isDirty)
  const panes = useRef<HTMLDivElement>(null)

  const role = roles.data?.find(({ id }) => id === chosen) ?? (isPhone ? undefined : roles.data?.[0])
  const isNew = chosen === 'new'
  const choose = (next: Chosen) => guard.before(() => setChosen(next))
  const failed = roles.error === null ? permissions : roles

  return (
    <>
      <LoadProblem
        query={{ ...failed, refetch: () => Promise.all([roles.refetch(), permissions.refetch()]).then(([one]) => one) }}
        title="Failed to load roles and permissions"
      />
      {isWaiting && <SkeletonRows />}
      {roles.data && permissions.data && (
        <div ref={panes} className={styles.panes}>
          {(!isPhone || (role === undefined && !isNew)) && (
            <RoleList
              roles={roles.data}
              currentId={isNew ? undefined : role?.id}
              onChoose={id => choose(id)}
              onNew={() => choose('new')}
            />
          )}
          {(isNew || role !== undefined) && (
            <RoleEditor
              key={isNew ? 'new' : role?.id}
              role={isNew ? null : (role ?? null)}
              permissions={permissions.data}
              onDirty={setDirty}
              onBack={isPhone ? () => choose(null) : undefined}
              onSaved={({ id }) => setChosen(isPhone ? null : id)}
              onGone={() => {
                setChosen(null)
                // The focused element is removed with the role, so move the focus.
                panes.current?.querySelector<HTMLElement>('nav button')?.focus()
              }}
            />
          )}
        </div>
      )}
      <ConfirmDialog
        opened={guard.isAsking}
        onClose={guard.stay}
        title="Discard changes?"
        confirm="Discard"
        cancel="Keep Editing"
        onConfirm={guard.leave}
      >
        What was changed of this role has not been saved.
      </ConfirmDialog>
    </>
  )
}

/** Asks before the user leaves unsaved changes for another role or page. */
function useGuard(isDirty: boolean) {
  const [waiting, setWaiting] = useState<(() => void) | null>(null)
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: () => isDirty, withResolver: true })
  return {
    isAsking: waiting !== null || blocker.status === 'blocked',
    before: (act: () => void) => (isDirty ? setWaiting(() => act) : act()),
    stay: () => {
      setWaiting(null)
      blocker.reset?.()
    },
    leave: () => {
      waiting?.()
      blocker.proceed?.()
    },
  }
}
