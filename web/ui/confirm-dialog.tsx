/** Asks for confirmation before something irreversible. */
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
  /** One sentence that says what will happen. */
  children: ReactNode
  /** The label of the confirming button. */
  confirm: string
  /** Its label while the action runs. */
  busy?: string
  /** Whether there is nothing to confirm; the children say why. */
  isIdle?: boolean
  /** Whether it destroys nothing, so that Enter confirms. */
  isHarmless?: boolean
  /** The label of the other button. */
  cancel?: string
  /** Runs the action. The dialog stays open until it resolves, and shows the result of `failed` when it rejects. */
  onConfirm: () => Promise<void> | void
  /** The message for an error. Without it the caller handles errors. */
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

function ConfirmForm(props: FormProps) {
  const { onClose, children, confirm, busy = confirm, isIdle = false, isHarmless = false } = props
  const { cancel = 'Cancel', onConfirm, failed } = props
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
        <Button
          variant="default"
          size={size}
          disabled={isBusy}
          onClick={onClose}
          data-autofocus={!isHarmless || undefined}
        >
          {cancel}
        </Button>
        <Button
          size={size}
          data-tone={isHarmless ? undefined : 'danger'}
          data-autofocus={isHarmless || undefined}
          disabled={isBusy || isIdle}
          onClick={() => void run()}
        >
          {isBusy ? busy : confirm}
        </Button>
      </DialogActions>
    </>
  )
}
