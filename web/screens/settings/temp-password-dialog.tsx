/** Shows, only once, the password that the server has generated for a new user. */
import { Button, TextInput } from '@mantine/core'
import { copyText } from '../../lib/local/copy-text.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { useLast } from '../../ui/use-last.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './temp-password-dialog.module.css'

interface TempPasswordDialogProps {
  /** Null when there is none to show. */
  temporary: { username: string; password: string } | null
  onClose: () => void
}

export function TempPasswordDialog({ temporary, onClose }: TempPasswordDialogProps) {
  const shown = useLast(temporary)
  const isPhone = usePhone()

  return (
    <Dialog
      opened={temporary !== null}
      onClose={onClose}
      title="Temporary password"
      // What cannot be shown again closes only on purpose.
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p className={styles.words}>
        <strong>{shown?.username}</strong> signs in with this password and then chooses another. It cannot be shown
        again.
      </p>
      <div className={styles.row}>
        <TextInput
          className={styles.password}
          classNames={{ input: styles.mono }}
          size={isPhone ? 'lg' : 'sm'}
          aria-label="Temporary password"
          value={shown?.password ?? ''}
          readOnly
          data-autofocus
          onFocus={event => event.currentTarget.select()}
        />
        <CopyButton label="Copy password" onCopy={() => copyText(shown?.password ?? '')} />
      </div>
      <DialogActions>
        <Button size={isPhone ? 'lg' : 'sm'} onClick={onClose}>
          I have saved it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
