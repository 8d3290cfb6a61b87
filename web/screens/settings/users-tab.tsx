/** The users with their storage and roles. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { User } from '../../../src/api/users.ts'
import { useLoadMore } from '../../lib/data/use-load-more.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LockedDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useLast } from '../../ui/use-last.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { LoadProblem } from './load-problem.tsx'
import { TabHead } from './tab-head.tsx'
import { TableSkeleton } from './table-skeleton.tsx'
import { TempPasswordDialog } from './temp-password-dialog.tsx'
import { usersQuery } from './user-changes.ts'
import { UserForm } from './user-form.tsx'
import { UserTable } from './user-table.tsx'

/** A generated password, shown once, with its user. */
interface TempPassword {
  username: string
  password: string
}

export function UsersTab() {
  const query = useInfiniteQuery(usersQuery)
  const { data, error } = query
  const [form, setForm] = useState<{ user: User | null } | null>(null)
  const [deleted, setDeleted] = useState<User | null>(null)
  const [temporary, setTemporary] = useState<TempPassword | null>(null)
  const shownForm = useLast(form)
  const size = usePhone() ? 'lg' : 'sm'
  const newButton = useRef<HTMLButtonElement>(null)
  const closeForm = () => setForm(null)
  const loadMore = useLoadMore(query)

  if (error instanceof ApiError && error.status === 403) {
    return (
      <EmptyState
        drawing={<LockedDrawing />}
        title="Admin access required to manage users"
        sentence="Ask an administrator for a role that may do this"
      />
    )
  }
  const users = data?.pages.flatMap(page => page.users)
  const total = data?.pages[0]?.total
  return (
    <>
      <TabHead words={total === undefined ? '' : total === 1 ? '1 user' : `${total.toLocaleString('en-US')} users`}>
        <Button
          ref={newButton}
          size={size}
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => setForm({ user: null })}
        >
          New User
        </Button>
      </TabHead>
      <LoadProblem query={query} title="Failed to load users" />
      <TableSkeleton isPending={query.isPending} phoneRowHeight={112} />
      {users && (
        <UserTable
          users={users}
          onEdit={user => setForm({ user })}
          onDelete={setDeleted}
          onNearEnd={loadMore}
          hasMore={query.hasNextPage}
        />
      )}
      <Dialog
        opened={form !== null}
        onClose={closeForm}
        title={shownForm?.user ? `Edit ${shownForm.user.username}` : 'New User'}
        size={480}
        closeOnClickOutside={false}
      >
        <UserForm
          user={shownForm?.user ?? null}
          onClose={closeForm}
          onTempPassword={(username, password) => setTemporary({ username, password })}
        />
      </Dialog>
      <TempPasswordDialog temporary={temporary} onClose={() => setTemporary(null)} />
      <DeleteUserDialog
        user={deleted}
        onClose={() => setDeleted(null)}
        // The focused button is removed with its row, so move the focus.
        onDeleted={() => newButton.current?.focus()}
      />
    </>
  )
}
