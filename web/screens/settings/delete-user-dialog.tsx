/** Confirms the deletion of a user, and asks what happens to the user's files and team folders. */
import { Radio } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { Person } from '../../../src/api/shares.ts'
import type { User } from '../../../src/api/users.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLast } from '../../ui/use-last.ts'
import styles from './delete-user-dialog.module.css'
import { removeUser } from './user-changes.ts'
import { UserChoice } from './user-choice.tsx'

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
  const [receiver, setReceiver] = useState<Person | null>(null)
  /** The user who is the only manager of team folders, according to the server. */
  const [leader, setLeader] = useState<number | null>(null)
  const [heir, setHeir] = useState<Person | null>(null)
  if (shown === null) return null
  const isLeader = leader === shown.id
  const ownsFiles = shown.storage_used > 0 || owners.includes(shown.id)

  const close = () => {
    onClose()
    setFate(null)
    setReceiver(null)
    setLeader(null)
    setHeir(null)
  }
  const act = async () => {
    if (isLeader && heir === null) throw new Unfinished('Choose who manages the team folders')
    const input = { id: shown.id, spaces_to: isLeader ? heir?.id : undefined }
    if (!ownsFiles) return removeUser(input)
    if (fate === null) throw new Unfinished('Choose what becomes of the files')
    if (fate === 'delete') return removeUser({ ...input, files: 'delete' })
    if (receiver === null) throw new Unfinished('Choose who gets the files')
    await removeUser({ ...input, files: 'transfer', to: receiver.id })
  }
  const failed = (error: unknown) => {
    if (error instanceof Unfinished) return error.message
    if (error instanceof ApiError && error.code === 'in_use') {
      const sentence = error.fields.spaces_to
      if (sentence !== undefined) {
        setLeader(shown.id)
        return `${sentence}. Choose who manages the team folders then.`
      }
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
      {ownsFiles && fate === 'transfer' && (
        <div className={styles.receiver}>
          <UserChoice
            label="Transfer to"
            description={`They arrive in a folder named ${shown.username}`}
            excludedIds={[shown.id]}
            value={receiver?.id ?? null}
            onChange={setReceiver}
          />
        </div>
      )}
      {isLeader && (
        <div className={styles.receiver}>
          <UserChoice
            label="Team folders go to"
            description="Who takes over manages them, with all that is in them"
            excludedIds={[shown.id]}
            value={heir?.id ?? null}
            onChange={setHeir}
          />
        </div>
      )}
    </ConfirmDialog>
  )
}
