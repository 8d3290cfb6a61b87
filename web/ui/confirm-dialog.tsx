/** Asks once more before something that cannot be taken back. */
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import styles from './confirm-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { DialogActions } from './dialog-actions.tsx'
import { useBusy } from './use-busy.ts'
import { usePhone } from './use-phone.ts'

interface ConfirmDialogProps {
  opened: boolean
  onClose: () => void
  title: string
  /** What will happen, in a sentence. */
  children: ReactNode
  /** The word on the button that does it. */
  confirm: string
  /** The word on it while that lasts. */
  busy?: string
  /** The word on the button that does not. */
  cancel?: string
  /** Does it; the dialog stays, and shows what `failed` makes of the error, until this resolves. */
  onConfirm: () => Promise<void> | void
  /** The sentence for an error. Without it errors are the caller's. */
  failed?: (error: unknown) => string
}

export function ConfirmDialog({ opened, onClose, title, ...rest }: ConfirmDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <ConfirmForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

type FormProps = Omit<ConfirmDialogProps, 'opened' | 'title'>

function ConfirmForm({ onClose, children, confirm, busy = confirm, cancel = 'Cancel', onConfirm, failed }: FormProps) {
  const [isBusy, setBusy] = useBusy()
  const [problem, setProblem] = useState<string | null>(null)
  const size = usePhone() ? 'lg' : 'sm'
  const run = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      if (failed === undefined) throw error
      setProblem(failed(error))
      setBusy(false)
    }
  }
  return (
    <>
      <div className={styles.words}>{children}</div>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <DialogActions>
        <Button variant="default" size={size} disabled={isBusy} onClick={onClose} data-autofocus>
          {cancel}
        </Button>
        <Button size={size} data-tone="danger" disabled={isBusy} onClick={() => void run()}>
          {isBusy ? busy : confirm}
        </Button>
      </DialogActions>
    </>
  )
}
