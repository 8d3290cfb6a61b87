/** Confirms the deletion of a user, and asks what happens to the user's files. */
import { Radio, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { User } from '../../../src/api/users.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLast } from '../../ui/use-last.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './delete-user-dialog.module.css'
import { allUsersQuery, removeUser } from './user-changes.ts'

/** An error of the form itself, for a missing choice. */
class Unfinished extends Error {}

type Fate = 'delete' | 'transfer'

interface DeleteUserDialogProps {
  /** The user to delete; null when there is none. */
  user: User | null
  onClose: () => void
  /** Called after the user is deleted, before the dialog closes. */
  onDeleted: () => void
}

export function DeleteUserDialog({ user, onClose, onDeleted }: DeleteUserDialogProps) {
  const shown = useLast(user)
  /** Users who own files according to the server. Their storage does not tell, because folders take none. */
  const [owners, setOwners] = useState<readonly number[]>([])
  const [fate, setFate] = useState<Fate | null>(null)
  const [receiver, setReceiver] = useState<string | null>(null)
  if (shown === null) return null
  const ownsFiles = shown.storage_used > 0 || owners.includes(shown.id)

  const close = () => {
    onClose()
    setFate(null)
    setReceiver(null)
  }
  const act = async () => {
    if (!ownsFiles) return removeUser({ id: shown.id })
    if (fate === null) throw new Unfinished('Choose what becomes of the files')
    if (fate === 'delete') return removeUser({ id: shown.id, files: 'delete' })
    if (receiver === null) throw new Unfinished('Choose who gets the files')
    await removeUser({ id: shown.id, files: 'transfer', to: receiver })
  }
  const failed = (error: unknown) => {
    if (error instanceof Unfinished) return error.message
    if (error instanceof ApiError && error.code === 'in_use') {
      setOwners([...owners, shown.id])
      return 'This user owns files. Choose what becomes of them.'
    }
    return messageOf(error, 'Failed to delete user')
  }

  return (
    <ConfirmDialog
      opened={user !== null}
      onClose={close}
      title="Delete user?"
      confirm="Delete"
      onConfirm={async () => {
        await act()
        onDeleted()
      }}
      failed={failed}
    >
      <p>
        <strong>{shown.username}</strong> will be deleted, with API keys and tags. This action cannot be undone.
      </p>
      {ownsFiles && (
        <Radio.Group
          className={styles.fates}
          label="Files of this user, with those in the trash"
          value={fate}
          onChange={value => setFate(value as Fate)}
        >
          <div className={styles.choices}>
            <Radio value="delete" label="Delete files" />
            <Radio value="transfer" label="Transfer to another user" />
          </div>
        </Radio.Group>
      )}
      {ownsFiles && fate === 'transfer' && <Receiver of={shown} value={receiver} onChange={setReceiver} />}
    </ConfirmDialog>
  )
}

interface ReceiverProps {
  of: User
  value: string | null
  onChange: (id: string | null) => void
}

/** The choice of who gets the files: any other active user. */
function Receiver({ of, value, onChange }: ReceiverProps) {
  const { data: users, error } = useQuery(allUsersQuery)
  const others = users?.filter(({ id, is_active }) => id !== of.id && is_active) ?? []
  return (
    <Select
      className={styles.receiver}
      classNames={{ option: styles.option }}
      label="Transfer to"
      description={`They arrive in a folder named ${of.username}`}
      size={usePhone() ? 'lg' : 'sm'}
      data={others.map(({ id, username, full_name }) => ({
        value: String(id),
        label: full_name ? `${username} (${full_name})` : username,
      }))}
      value={value}
      onChange={onChange}
      placeholder="Choose a user"
      nothingFoundMessage="No such user"
      error={error ? messageOf(error, 'Failed to load users') : undefined}
      searchable
      limit={50}
      withCheckIcon={false}
    />
  )
}
