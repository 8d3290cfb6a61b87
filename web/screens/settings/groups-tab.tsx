/** The groups of users, which people share with. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { Group } from '../../../src/api/groups.ts'
import { shareCount } from '../../items/counts.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useLast } from '../../ui/use-last.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { groupsQuery, refreshGroups, removeGroup } from './group-changes.ts'
import { GroupForm } from './group-form.tsx'
import { GroupTable } from './group-table.tsx'
import { LoadProblem } from './load-problem.tsx'
import { TabHead } from './tab-head.tsx'
import { TableSkeleton } from './table-skeleton.tsx'

export function GroupsTab() {
  const query = useQuery(groupsQuery)
  const [form, setForm] = useState<{ group: Group | null } | null>(null)
  const [deleted, setDeleted] = useState<Group | null>(null)
  const shownForm = useLast(form)
  const size = usePhone() ? 'lg' : 'sm'
  const newButton = useRef<HTMLButtonElement>(null)
  const closeForm = () => setForm(null)
  return (
    <>
      <TabHead words="What is shared with a group is shared with all its members.">
        <Button
          ref={newButton}
          size={size}
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => setForm({ group: null })}
        >
          New Group
        </Button>
      </TabHead>
      <LoadProblem query={query} title="Failed to load groups" />
      <TableSkeleton isPending={query.isPending} phoneRowHeight={64} />
      {query.data && <GroupTable groups={query.data} onEdit={group => setForm({ group })} onDelete={setDeleted} />}
      <Dialog
        opened={form !== null}
        onClose={closeForm}
        title={shownForm?.group ? 'Edit Group' : 'New Group'}
        size={480}
        closeOnClickOutside={false}
      >
        <GroupForm group={shownForm?.group ?? null} onClose={closeForm} />
      </Dialog>
      <DeleteGroupDialog
        // The list may know of shares that there were not yet when the dialog was opened.
        group={query.data?.find(({ id }) => id === deleted?.id) ?? deleted}
        opened={deleted !== null}
        onClose={() => setDeleted(null)}
        // The focused button is removed with its row, so move the focus.
        onDeleted={() => newButton.current?.focus()}
      />
    </>
  )
}

interface DeleteGroupDialogProps {
  group: Group | null
  opened: boolean
  onClose: () => void
  onDeleted: () => void
}

function DeleteGroupDialog({ group, opened, onClose, onDeleted }: DeleteGroupDialogProps) {
  const shown = useLast(group)
  const failed = (error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'in_use')) return messageOf(error, 'Failed to delete group')
    void refreshGroups()
    return 'Something was shared with this group meanwhile. Delete it all the same?'
  }
  if (shown === null) return null
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Delete group?"
      confirm="Delete"
      failed={failed}
      onConfirm={async () => {
        await removeGroup(shown, shown.share_count > 0)
        onDeleted()
      }}
    >
      <strong>{shown.name}</strong> will be deleted; its members stay.{' '}
      {shown.share_count > 0 &&
        `This also removes ${shareCount(shown.share_count)}: the members lose that access at once. `}
      This action cannot be undone.
    </ConfirmDialog>
  )
}
