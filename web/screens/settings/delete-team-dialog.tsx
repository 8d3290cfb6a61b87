/** Confirms the deletion of a team folder. With files in it, the name has to be typed. */
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { Space } from '../../../src/api/spaces.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLast } from '../../ui/use-last.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './delete-user-dialog.module.css'
import { refreshTeams, removeTeam } from './team-changes.ts'

/** An error of the form itself: the typed name is another. */
class Unfinished extends Error {}

interface DeleteTeamDialogProps {
  /** The team folder to delete; null when there is none. */
  team: Space | null
  onClose: () => void
  /** Called after it is deleted, before the dialog closes. */
  onDeleted: () => void
}

export function DeleteTeamDialog({ team, onClose, onDeleted }: DeleteTeamDialogProps) {
  const shown = useLast(team)
  /** Team folders with content according to the server. Their storage does not tell, because folders take none. */
  const [filled, setFilled] = useState<readonly number[]>([])
  const [typed, setTyped] = useState('')
  const size = usePhone() ? 'lg' : 'sm'
  if (shown === null) return null
  const hasContent = shown.storage_used > 0 || filled.includes(shown.id)
  const close = () => {
    onClose()
    setTyped('')
  }
  const failed = (error: unknown) => {
    if (error instanceof Unfinished) return error.message
    if (error instanceof ApiError && error.code === 'in_use') {
      setFilled([...filled, shown.id])
      void refreshTeams()
      return 'This team folder is not empty. Type its name to delete all of it.'
    }
    return messageOf(error, 'Failed to delete team folder')
  }
  return (
    <ConfirmDialog
      opened={team !== null}
      onClose={close}
      title="Delete team folder?"
      confirm={hasContent ? 'Delete all' : 'Delete'}
      busy="Deleting..."
      failed={failed}
      onConfirm={async () => {
        if (hasContent && typed.trim() !== shown.name.trim()) throw new Unfinished('Type the name of the team folder')
        await removeTeam(shown, hasContent)
        onDeleted()
      }}
    >
      <p>
        <strong>{shown.name}</strong> will be deleted
        {hasContent && ` with all files in it and in its trash${sizeOf(shown)}`}. Its members lose access at once. This
        action cannot be undone.
      </p>
      {hasContent && (
        <TextInput
          className={styles.receiver}
          label={`Type “${shown.name}” to confirm`}
          size={size}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
      )}
    </ConfirmDialog>
  )
}

const sizeOf = ({ storage_used }: Space): string => (storage_used > 0 ? ` (${formatSize(storage_used)})` : '')
